// Runs the speed example in V8: `node run.mjs speed.wasm`. With a second argument `cpu`, times are
// those of the process, so that other work on the machine counts for less.
// In a page: `run(bytes, console.log, () => performance.now())`.
export async function run(bytes, print, now) {
  let memory;
  const env = {
    now,
    print: (start, length) =>
      print(new TextDecoder().decode(new Uint8Array(memory.buffer, start, length))),
  };
  const program = await WebAssembly.compile(bytes);
  const imports = { env };
  // What a page would give, and no measurement asks for.
  for (const { module, name } of WebAssembly.Module.imports(program)) {
    if (module === "env") continue;
    imports[module] ??= {};
    imports[module][name] = () => {
      throw new Error(`${name} is not here`);
    };
  }
  const instance = await WebAssembly.instantiate(program, imports);
  memory = instance.exports.memory;
  instance.exports.main(0, 0);
}

if (typeof process !== "undefined" && process.argv[2]) {
  const { readFile } = await import("node:fs/promises");
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  };
  const now = process.argv[3] === "cpu" ? cpu : () => performance.now();
  await run(await readFile(process.argv[2]), console.log, now);
}
