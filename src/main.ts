import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { requireCurrentBuild } from '#platform/basics/build.ts'
import { ConfigError, readConfig } from '#platform/basics/config.ts'
import { returnMemoryOfStart } from '#platform/basics/memory.ts'
import type { Demo, DemoLine } from '#project/demo/start-demo.ts'
import { configTables } from './config.ts'
import type { RunningServer } from './server.ts'
import type { Config } from './services.ts'

/** Time to finish requests after a signal. Orchestrators wait 10 seconds or more by default. */
const STOP_WITHIN_MS = 9000

const USAGE = `Usage: npm start [-- --demo]
  --demo  fills an empty installation with a running race and a small library
`

/** Compiled code. All that a start needs much of is loaded below, after this. Not used if it is not writable. */
enableCompileCache(fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.resolve('#project/package.json'))))

const { demo: wantsDemo } = readArguments(process.argv.slice(2))
try {
  requireCurrentBuild(import.meta.url)
  const config = readConfig(configTables, process.env)
  const demoPart = wantsDemo ? await loadDemo(config) : undefined
  const { startServer } = await import('./server.ts')
  const server = await startServer(config)
  const running: Running = { server, demo: undefined }
  stopOnSignals(running)
  server.tracks?.warmUp()
  returnMemoryOfStart()
  // A process that is killed later would not store its compiled code.
  setImmediate(flushCompileCache)
  if (demoPart !== undefined) running.demo = await fill(server, demoPart.startDemo)
  // Printed last: a supervisor may stop the process as soon as it reads this.
  process.stdout.write(banner(running, config.platform.adminCommand))
  if (demoPart !== undefined) process.stdout.write(demoLines(running.demo))
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `Trackpress could not start: ${explain(error as Error)}`}\n`,
  )
  process.exit(1)
}

type DemoPart = typeof import('#project/demo/start-demo.ts')
type Running = { server: RunningServer; demo: Demo | undefined }

/** Says why the program could not start, and what a driver or the system said, such as the address that it tried. */
function explain({ code, message, cause, port }: NodeJS.ErrnoException & { port?: number }): string {
  if (code !== 'EADDRINUSE') {
    return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message
  }
  return `port ${port} is in use (EADDRINUSE). Stop the program that uses it, or set PORT to another one.`
}

function readArguments(args: string[]): { demo: boolean } {
  try {
    return parseArgs({ args, options: { demo: { type: 'boolean', default: false } } }).values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`)
    process.exit(1)
  }
}

/** Loads the demo, which production images do not contain. */
async function loadDemo({ platform: { services } }: Config): Promise<DemoPart> {
  if (services.length < 3) throw new Error('--demo needs all services. Leave SERVICES empty.')
  try {
    const part = await import('#project/demo/start-demo.ts')
    part.requireDemoData()
    return part
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('--demo needs a full copy of the project, which a server image does not contain.')
  }
}

/** Lets the demo fill an installation that this start created. Older data is never changed. */
async function fill(server: RunningServer, startDemo: DemoPart['startDemo']): Promise<Demo | undefined> {
  const { url, logger, firstStart } = server
  const { event, workspace, operator } = firstStart
  if (event === undefined || workspace === undefined || operator === undefined) return undefined
  return await startDemo({
    url,
    signInPath: operator.signInPath,
    log: logger,
    say: (lines) => process.stdout.write(`The demo is filled\n${asText(lines)}`),
  })
}

function demoLines(demo: Demo | undefined): string {
  if (demo === undefined) return 'The installation already has data, so the demo adds nothing.\n'
  return `The demo is starting: a race is running, and a library follows within 30 seconds\n${asText(demo.lines)}`
}

function asText(lines: readonly DemoLine[]): string {
  return lines.map(([name, value]) => `${line(name, value)}\n`).join('')
}

/** Addresses and names to print after the start; secrets only if this start created them. */
function banner({ server, demo }: Running, adminCommand: string): string {
  const { url, version, tracks, publications, operator, firstStart } = server
  const lines = [`Trackpress is running at ${url}`, line('Version', version), line('API reference', `${url}/docs`)]
  const { event, workspace } = firstStart
  if (event !== undefined) lines.push(line('Event', `${event.name} (${event.id})`), line('App token', event.token))
  else if (tracks !== undefined) lines.push(line('App tokens', `${adminCommand} events list, then events token <id>`))
  if (workspace !== undefined)
    lines.push(line('Workspace', `${workspace.name} (${workspace.id})`), line('API key', workspace.api_key))
  else if (publications !== undefined)
    lines.push(line('API keys', `${adminCommand} workspaces list, then workspaces key <id>`))
  if (firstStart.operator !== undefined) {
    // The link leads to the public address if one is set, where the browser will be.
    const signInUrl = demo?.signInUrl ?? `${operator!.deps.baseUrl()}${firstStart.operator.signInPath}`
    lines.push(line('Sign in', signInUrl), line('Name', `${firstStart.operator.name}, to sign in with later`))
  } else if (operator !== undefined)
    lines.push(
      line('Dashboard', `${operator.deps.baseUrl()}/dashboard/`),
      line('Sign-in links', `${adminCommand} operators sign-in-link <name>`),
    )
  return `${lines.join('\n')}\n`
}

function line(name: string, value: string): string {
  return `  ${name.padEnd(16)}${value}`
}

function stopOnSignals(running: Running): void {
  const { server } = running
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    server.logger.info({ signal }, 'stopping')
    setTimeout(() => {
      server.logger.warn('stopped before all requests were finished')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    stopAll(running).then(
      () => process.exit(0),
      (err) => {
        server.logger.error({ err }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Stops the demo first, while the server still answers it. */
async function stopAll({ server, demo }: Running): Promise<void> {
  await demo?.stop()
  await server.close()
}
