// Runs admin commands one after the other in one process, as the parent sends their words. Each runs
// all of `admin.js`, as built; only the code that it imports is loaded once. Starting a process takes
// some ten times as long as most commands.
export type AdminOutput = { exitCode: number; stdout: string; stderr: string }

let turn = Promise.resolve()
let runs = 0

process.on('message', (words: string[]) => {
  turn = turn.then(async () => void process.send!(await runCommand(words)))
})

async function runCommand(words: string[]): Promise<AdminOutput> {
  const { argv, stdout, stderr } = process
  const [write, writeError] = [stdout.write, stderr.write]
  const written = { stdout: '', stderr: '' }
  stdout.write = (text: string | Uint8Array) => keep('stdout', text)
  stderr.write = (text: string | Uint8Array) => keep('stderr', text)
  function keep(name: keyof typeof written, text: string | Uint8Array): boolean {
    written[name] += String(text)
    return true
  }
  process.argv = [...argv.slice(0, 2), ...words]
  process.exitCode = 0
  try {
    // A module runs once for each address. It ends when its command has.
    await import(`../../dist/server/admin.js?${++runs}`)
    return { ...written, exitCode: Number(process.exitCode) }
  } finally {
    process.argv = argv
    process.exitCode = 0
    Object.assign(stdout, { write })
    Object.assign(stderr, { write: writeError })
  }
}
