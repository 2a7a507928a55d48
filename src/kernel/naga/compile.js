// Run by node with -e: the files of naga's package, where SPIR-V goes, and one or two texts. Each is
// read and validated, and the second one written. What is wrong goes to standard output: the number of
// the text, 0 or 1, and naga's report behind it.
const fs = require("fs");
const zlib = require("zlib");
// What runs once is not worth optimizing.
require("v8").setFlagsFromString("--liftoff-only");

async function main([script, module, output, ...texts]) {
  const text = fs.readFileSync(script).toString("base64");
  const naga = await import(`data:text/javascript;base64,${text}`);
  naga.initSync({module: zlib.gunzipSync(Buffer.from(fs.readFileSync(module, "latin1"), "base64"))});
  for (const [number, file] of texts.entries()) {
    try {
      const read = naga.parseWgsl(fs.readFileSync(file, "utf8"));
      const info = naga.validate(read);
      if (number === 0) continue;
      const words = naga.writeSpirv(read, info, {flags: {debug: true}});
      fs.writeFileSync(output, Buffer.from(words.buffer, words.byteOffset, words.byteLength));
    } catch (error) {
      console.log(`${number}\n${error.message}`);
      process.exitCode = 1;
      return;
    }
  }
}

main(process.argv.slice(1));
