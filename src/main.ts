import { ConfigError, readConfig } from '#platform/config.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { tracksConfig } from './tracks/config.ts'

/** After a signal, what is in flight gets this long; an orchestrator that waits longer loses nothing by it. */
const STOP_WITHIN_MS = 9000

try {
  const config = readConfig({ platform: platformConfig, tracks: tracksConfig }, process.env)
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
function banner({ url, firstStart }: RunningServer): string {
  const lines = [`Trackpress is running at ${url}`, `  API reference   ${url}/docs`]
  if (firstStart === undefined) {
    lines.push('  App tokens      npm run --silent admin -- events list, then events token <id>')
  } else {
    lines.push(
      `  Event           ${firstStart.event.name} (${firstStart.event.id})`,
      `  App token       ${firstStart.event.token}`,
    )
  }
  return `${lines.join('\n')}\n`
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
