//! Both ends together.

mod protocol;
mod rig;
