import { spawn } from 'node:child_process'

/**
 * Runs the Node.js that the set-up has provided, and ends as it ends. It gets signals that this process gets.
 * @param {string[]} args
 */
export function runNode(args) {
  const isWindows = process.platform === 'win32'
  // The shell of Windows finds node.cmd, and takes an argument with spaces apart.
  const child = spawn('node', isWindows ? args.map((arg) => `"${arg}"`) : args, { stdio: 'inherit', shell: isWindows })
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both, and the command decides when to end.
  process.on('SIGINT', () => {})
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
