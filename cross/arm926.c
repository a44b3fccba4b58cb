/* arm926.c: a QEMU plugin that counts instructions and models the cycles of an ARM926EJ-S.
 *
 * Model: 16 KB instruction and 16 KB data cache (4-way, 32-byte lines, the data cache allocates on reads only), a unified
 * 64-entry 2-way TLB of 4 KB pages with a flat walk penalty, ARM9E-S instruction timings with simple load-use interlocks
 * (ARM9E-S Technical Reference Manual, chapter "Instruction Cycle Times"), a pipeline refill at every taken branch.
 * It also counts the 4 KB pages touched: code, stack, heap and mapped files (touched_mb).
 * The penalties are ESTIMATES: good for comparing builds; calibrate on a real brick before believing the milliseconds.
 *
 * Built and run by brick-time:
 *   cc -O2 -shared -fPIC -o arm926.so arm926.c
 *   env -i qemu-arm -cpu arm926,vfp=off -plugin ./arm926.so[,OPTION...] -d plugin PROGRAM ARGS
 * Options: miss=45 (cycles of a line fill), wmiss=6 (of a buffered write), walk=60 (of a page walk), mhz=300, evict=lru|rand,
 * marks=on (a line "arm926: at ... ms" whenever the program writes to standard error, before what it writes).
 *
 * Plugin API version 1 (QEMU 4.2 to 8.x), declared here by hand: neither QEMU's nor glib's headers are needed.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the part of qemu-plugin.h that is used ---- */
#define EXPORT __attribute__((visibility("default")))
typedef uint64_t plugin_id;
struct tb;
struct insn;
typedef void (*exec_cb)(unsigned cpu, void *user);
typedef void (*syscall_cb)(plugin_id, unsigned cpu, int64_t number, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                           uint64_t, uint64_t);
typedef void (*mem_cb)(unsigned cpu, uint32_t info, uint64_t address, void *user);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct tb *));
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct insn *, exec_cb, int flags, void *user);
extern void qemu_plugin_register_vcpu_mem_cb(struct insn *, mem_cb, int flags, int read_write, void *user);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, syscall_cb);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *user);
extern size_t qemu_plugin_tb_n_insns(const struct tb *);
extern struct insn *qemu_plugin_tb_get_insn(const struct tb *, size_t);
extern const void *qemu_plugin_insn_data(const struct insn *);
extern size_t qemu_plugin_insn_size(const struct insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct insn *);
extern bool qemu_plugin_mem_is_store(uint32_t info);
extern void qemu_plugin_outs(const char *);
EXPORT int qemu_plugin_version = 1;

/* ---- penalties in cycles, and counts ---- */
static uint32_t miss_penalty = 45, write_penalty = 6, walk_penalty = 60, mhz = 300;
static uint64_t insns, issue, stall, branches, imiss, reads, rmiss, writes, wmiss, wback, tlbmiss, pages;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- caches ---- */
enum { SETS = 128, WAYS = 4, LINE_BITS = 5 };           /* 128 * 4 * 32 bytes = 16 KB */
typedef struct {
    uint32_t tag[SETS][WAYS];                           /* 0: empty */
    uint64_t age[SETS][WAYS];
    bool dirty[SETS][WAYS];
} Cache;
static Cache icache, dcache;
static uint64_t now;
static bool evict_rand, marks;
static uint32_t rng = 12345;

/* The way that holds a line, or -1. */
static int lookup(Cache *c, uint32_t line)
{
    uint32_t set = line % SETS, tag = line / SETS + 1;
    for (int way = 0; way < WAYS; way++)
        if (c->tag[set][way] == tag) {
            c->age[set][way] = ++now;
            return way;
        }
    return -1;
}

static uint32_t victim(const Cache *c, uint32_t set)
{
    uint32_t oldest = 0;
    for (uint32_t way = 0; way < WAYS; way++)
        if (!c->tag[set][way])
            return way;
    if (evict_rand) {
        rng = rng * 1103515245 + 12345;
        return (rng >> 16) % WAYS;
    }
    for (uint32_t way = 1; way < WAYS; way++)
        if (c->age[set][way] < c->age[set][oldest])
            oldest = way;
    return oldest;
}

static void fill(Cache *c, uint32_t line)
{
    uint32_t set = line % SETS, way = victim(c, set);
    if (c->tag[set][way] && c->dirty[set][way])
        wback++;
    c->tag[set][way] = line / SETS + 1;
    c->age[set][way] = ++now;
    c->dirty[set][way] = false;
}

/* ---- TLB, and the pages ever touched ---- */
enum { TLB_SETS = 32 };
static uint32_t tlb[TLB_SETS][2], tlb_oldest[TLB_SETS];
static uint8_t touched[1 << 17];                        /* a bit for each of 2^20 pages */

static void translate(uint32_t address)
{
    uint32_t page = address >> 12, set = page % TLB_SETS, tag = page / TLB_SETS + 1;
    for (uint32_t way = 0; way < 2; way++)
        if (tlb[set][way] == tag) {
            tlb_oldest[set] = !way;
            return;
        }
    tlbmiss++;
    tlb[set][tlb_oldest[set]] = tag;
    tlb_oldest[set] = !tlb_oldest[set];
    if (!(touched[page >> 3] & 1 << (page & 7))) {
        touched[page >> 3] |= 1 << (page & 7);
        pages++;
    }
}

/* ---- what happens at every instruction and every access ---- */
typedef struct {
    uint32_t pc, length;
    uint8_t issue, stall;
} Insn;
static uint32_t next_pc = ~0u, present_line = ~0u;

static void on_insn(unsigned cpu, void *user)
{
    const Insn *insn = user;
    pthread_mutex_lock(&lock);
    insns++;
    issue += insn->issue;
    stall += insn->stall;
    if (insn->pc != next_pc) {                          /* the pipeline is refilled */
        branches++;
        stall += 2;
        present_line = ~0u;
    }
    next_pc = insn->pc + insn->length;
    uint32_t line = insn->pc >> LINE_BITS;
    if (line != present_line) {
        present_line = line;
        translate(insn->pc);
        if (lookup(&icache, line) < 0) {
            imiss++;
            fill(&icache, line);
        }
    }
    pthread_mutex_unlock(&lock);
}

static void on_access(unsigned cpu, uint32_t info, uint64_t address, void *user)
{
    uint32_t line = (uint32_t)address >> LINE_BITS;
    pthread_mutex_lock(&lock);
    translate((uint32_t)address);
    int way = lookup(&dcache, line);
    if (qemu_plugin_mem_is_store(info)) {
        writes++;
        if (way < 0)
            wmiss++;
        else
            dcache.dirty[line % SETS][way] = true;
    } else {
        reads++;
        if (way < 0) {
            rmiss++;
            fill(&dcache, line);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* ---- ARM9E-S timings, for one ARM-state instruction whose condition holds ---- */
static bool is_multiply_or_extra_access(uint32_t x) { return ((x >> 25) & 7) == 0 && (x & 0x90) == 0x90; }

static int issue_cycles(uint32_t x)
{
    uint32_t op = (x >> 25) & 7;
    if (x >> 28 == 15)
        return 1;                                       /* pld, blx immediate */
    if (is_multiply_or_extra_access(x)) {
        uint32_t kind = (x >> 5) & 3;
        if (kind == 0) {
            if (x & 1u << 24)
                return 2;                               /* swp */
            bool set_flags = x & 1u << 20, is_long = x & 1u << 23;
            return (is_long ? 3 : 2) + (set_flags ? 2 : 0);
        }
        return !(x & 1u << 20) && kind >= 2 ? 2 : 1;    /* ldrd, strd : ldrh, strh, ... */
    }
    if (op == 0 && (x & 0x01900090) == 0x01000080)
        return ((x >> 21) & 3) == 2 ? 2 : 1;            /* smlalxy : the other 16-bit multiplies */
    if (op == 0 && (x & 0x01900000) == 0x01000000)
        return (x & 1u << 21) && !(x & 0xf0) ? 3 : 1;   /* msr : bx, clz, saturating */
    if (op == 0)
        return x & 0x10 ? 2 : 1;                        /* shift by register */
    if (op == 4) {                                      /* ldm, stm */
        int registers = __builtin_popcount(x & 0xffff);
        return registers < 2 ? 2 : registers;
    }
    return 1;
}

/* Cycles lost if the next instruction needs the result of this one. */
static int load_use_stall(uint32_t x, uint32_t next)
{
    int latency;
    uint32_t rd = (x >> 12) & 15;
    if (((x >> 26) & 3) == 1 && (x & 1u << 20))
        latency = x & 1u << 22 ? 2 : 1;                 /* ldrb : ldr */
    else if (is_multiply_or_extra_access(x) && (x >> 5) & 3) {
        if (!(x & 1u << 20))
            return 0;
        latency = 2;                                    /* ldrh, ldrsb, ldrsh */
    } else if (is_multiply_or_extra_access(x) && !(x & 1u << 24)) {
        rd = (x >> 16) & 15;
        latency = 1;                                    /* mul, mla, umull, ... */
    } else
        return 0;
    if (rd == 15)
        return 0;

    uint32_t op = (next >> 25) & 7;
    bool uses = false;
    if (op <= 3) {
        uses = ((next >> 16) & 15) == rd || ((op == 0 || op == 3) && (next & 15) == rd) ||
               (op == 0 && (next & 0x10) && ((next >> 8) & 15) == rd);
        if (op >= 2 && !(next & 1u << 20) && ((next >> 12) & 15) == rd)
            uses = true;                                /* stored */
        if (op == 1 && ((next >> 21) & 13) == 13)
            uses = false;                               /* mov and mvn of an immediate */
    } else if (op == 4)
        uses = ((next >> 16) & 15) == rd;
    return uses ? latency : 0;
}

/* The bits of a 4-byte instruction; false for a Thumb one. */
static bool arm_bits(const struct insn *insn, uint32_t *bits)
{
    if (qemu_plugin_insn_size(insn) != 4)
        return false;
    memcpy(bits, qemu_plugin_insn_data(insn), 4);
    return true;
}

static void on_translate(plugin_id id, struct tb *tb)
{
    size_t count = qemu_plugin_tb_n_insns(tb);
    for (size_t k = 0; k < count; k++) {
        struct insn *insn = qemu_plugin_tb_get_insn(tb, k);
        Insn *model = malloc(sizeof *model);            /* lives as long as the translation */
        uint32_t bits, next;
        if (!model)
            abort();
        *model = (Insn){(uint32_t)qemu_plugin_insn_vaddr(insn), (uint32_t)qemu_plugin_insn_size(insn), 1, 0};
        if (arm_bits(insn, &bits)) {
            model->issue = issue_cycles(bits);
            if (k + 1 < count && arm_bits(qemu_plugin_tb_get_insn(tb, k + 1), &next))
                model->stall = load_use_stall(bits, next);
        }
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_insn, 0, model);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, 0, 3, NULL);
    }
}

static uint64_t memory_cycles(void)
{
    return (imiss + rmiss) * miss_penalty + (wmiss + wback) * write_penalty + tlbmiss * walk_penalty;
}

static void on_syscall(plugin_id id, unsigned cpu, int64_t number, uint64_t file, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                       uint64_t a6, uint64_t a7, uint64_t a8)
{
    enum { WRITE = 4, WRITEV = 146, STANDARD_ERROR = 2 };
    char line[60];
    if ((number != WRITE && number != WRITEV) || (uint32_t)file != STANDARD_ERROR)
        return;
    pthread_mutex_lock(&lock);
    snprintf(line, sizeof line, "arm926: at %.3f ms\n", (issue + stall + memory_cycles()) / (mhz * 1000.0));
    pthread_mutex_unlock(&lock);
    qemu_plugin_outs(line);
}

static void on_exit_of_program(plugin_id id, void *user)
{
    char line[700];
    uint64_t memory = memory_cycles();
    uint64_t cycles = issue + stall + memory;
    snprintf(line, sizeof line,
             "arm926: insns %" PRIu64 " cycles %" PRIu64 " est_ms %.3f cpi %.3f (issue %" PRIu64 " stall %" PRIu64 " memory %" PRIu64
             ") branches %" PRIu64 " imiss %" PRIu64 " reads %" PRIu64 " rmiss %" PRIu64 " writes %" PRIu64 " wmiss %" PRIu64
             " wback %" PRIu64 " tlbmiss %" PRIu64 " touched_mb %.2f\n",
             insns, cycles, cycles / (mhz * 1000.0), insns ? (double)cycles / insns : 0, issue, stall, memory, branches, imiss, reads,
             rmiss, writes, wmiss, wback, tlbmiss, pages / 256.0);
    qemu_plugin_outs(line);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    for (int k = 0; k < argc; k++) {
        const char *value = strchr(argv[k], '=');
        uint32_t number = value ? (uint32_t)atoi(value + 1) : 0;
        if (!strncmp(argv[k], "miss=", 5))
            miss_penalty = number;
        else if (!strncmp(argv[k], "wmiss=", 6))
            write_penalty = number;
        else if (!strncmp(argv[k], "walk=", 5))
            walk_penalty = number;
        else if (!strncmp(argv[k], "mhz=", 4) && number)
            mhz = number;
        else if (!strcmp(argv[k], "evict=rand"))
            evict_rand = true;
        else if (!strncmp(argv[k], "marks", 5))
            marks = true;
        else if (strcmp(argv[k], "evict=lru")) {
            fprintf(stderr, "arm926: what is %s?\n", argv[k]);
            return -1;
        }
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    if (marks)
        qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    return 0;
}
