import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

// Starts the server, again after each change of its sources, and Vite's development server in front of it, which shows
// changes of the dashboard without a reload. Arguments such as --demo go to the server.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

// With this variable, Node.js reports what a thread imports among the thread's own messages. Watching folders needs no
// such reports.
const WITHOUT_REPORTS = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES'
const WATCHED = ['src', 'demo'].map((folder) => `--watch-path=${folder}`)

const server = spawn(
  process.execPath,
  ['--watch', ...WATCHED, '--import', WITHOUT_REPORTS, 'src/main.ts', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
)
await import('./generate-client.ts')
const pages = await createServer({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)) })
await pages.listen()
process.stdout.write(`Dashboard with hot reload: ${pages.resolvedUrls?.local[0]}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', async (code) => {
  await pages.close()
  process.exit(code ?? 0)
})
