//! Compresses the files of the page, which the program carries within it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "serve")]
    page::compress();
}

#[cfg(feature = "serve")]
mod page {
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    const FOLDER: &str = "src/serve/page";

    /// Each file of the folder, with `.gz` behind its name, to where the program includes it from.
    pub fn compress() {
        println!("cargo::rerun-if-changed={FOLDER}");
        let out = std::env::var_os("OUT_DIR").expect("cargo says where build scripts write");
        for file in fs::read_dir(FOLDER).expect("the page's folder can be read").flatten() {
            let name = file.file_name().into_string().expect("names are plain");
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            let packed = packed
                .write_all(&fs::read(file.path()).expect("the page's files can be read"))
                .and_then(|()| packed.finish())
                .expect("memory can be written to");
            fs::write(Path::new(&out).join(name + ".gz"), packed).expect("build scripts may write there");
        }
    }
}
