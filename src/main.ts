import { ConfigError, readConfig } from '#platform/config.ts'
import { configTables } from './config-tables.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** After a signal, what is in flight gets this long; an orchestrator that waits longer loses nothing by it. */
const STOP_WITHIN_MS = 9000

const ADMIN = 'npm run --silent admin --'

try {
  const config = readConfig(configTables, process.env)
  const server = await startServer(config)
  stopOnSignals(server)
  server.tracks?.warmUp()
  // Who reads that it runs may stop it at once.
  process.stdout.write(banner(server))
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `Trackpress could not start: ${(error as Error).message}`}\n`,
  )
  process.exit(1)
}

/** What a person who just started the program wants to know; secrets only where they were made just now. */
function banner({ url, tracks, publications, operator, firstStart }: RunningServer): string {
  const lines = [`Trackpress is running at ${url}`, line('API reference', `${url}/docs`)]
  const { event, workspace } = firstStart
  if (event !== undefined) lines.push(line('Event', `${event.name} (${event.id})`), line('App token', event.token))
  else if (tracks !== undefined) lines.push(line('App tokens', `${ADMIN} events list, then events token <id>`))
  if (workspace !== undefined)
    lines.push(line('Workspace', `${workspace.name} (${workspace.id})`), line('API key', workspace.api_key))
  else if (publications !== undefined)
    lines.push(line('API keys', `${ADMIN} workspaces list, then workspaces key <id>`))
  if (firstStart.operator !== undefined) {
    // The link has to lead where the browser will be: to the public address, where there is one.
    lines.push(line('Sign in', `${operator!.deps.baseUrl()}${firstStart.operator.signInPath}`))
  } else if (operator !== undefined) lines.push(line('Dashboard', `${operator.deps.baseUrl()}/dashboard/`))
  return `${lines.join('\n')}\n`
}

function line(name: string, value: string): string {
  return `  ${name.padEnd(16)}${value}`
}

function stopOnSignals(server: RunningServer): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    server.logger.info({ signal }, 'stopping')
    setTimeout(() => {
      server.logger.warn('stopped before everything in flight was finished')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    server.close().then(
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
