//! Compresses the files of the page, which the program carries within it.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "serve")]
    page::compress()?;
    Ok(())
}

#[cfg(feature = "serve")]
mod page {
    use std::path::PathBuf;
    use std::{env, fs, io};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    const FOLDER: &str = "src/serve/page";

    /// Each file of the folder, with `.gz` behind its name, to where the program includes it from.
    pub fn compress() -> io::Result<()> {
        println!("cargo::rerun-if-changed={FOLDER}");
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        for file in fs::read_dir(FOLDER)? {
            let path = file?.path();
            let packed = fs::File::create(
                out.join(path.file_name().unwrap_or_default())
                    .with_added_extension("gz"),
            )?;
            let mut packed = GzEncoder::new(packed, Compression::best());
            io::copy(&mut fs::File::open(path)?, &mut packed)?;
            packed.finish()?;
        }
        Ok(())
    }
}
