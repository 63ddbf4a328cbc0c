import { showStatus, type Terminal } from '../command-line/status-line.ts'
import { openExchange, PublishError } from '../publish/exchange.ts'
import { findApiKey } from '../publish/find-api-key.ts'
import { type PublicationClient, publicationClient } from '../publish/publication-client.ts'
import type { CorpusRun } from './corpus-report.ts'
import { type FoundPdf, type FoundPdfs, findPdfs } from './find-pdfs.ts'
import { type Outcome, publishOne } from './publish-one.ts'
import type { CorpusOptions } from './read-arguments.ts'
import { type OwnServer, startOwnServer } from './start-own-server.ts'
import { startProbe, watchMemory } from './watch-server.ts'

/**
 * Publishes every PDF of a folder, a few at a time, and observes the server meanwhile.
 * @throws PublishError if it cannot start, or the signal stops it
 */
export async function publishCorpus(
  options: CorpusOptions,
  progress: Terminal,
  signal: AbortSignal,
): Promise<CorpusRun> {
  const found = await findPdfs(options.folder).catch((error: NodeJS.ErrnoException) => {
    throw new PublishError(`${options.folder} cannot be read (${error.code ?? error.message})`)
  })
  if (found.files.length === 0) throw new PublishError(`There is no PDF in ${options.folder}`)
  const own = options.server === undefined ? await startOwnServer() : undefined
  try {
    return await runOn(own, found, options, progress, signal)
  } catch (error) {
    throw signal.aborted ? new PublishError('Stopped.') : error
  } finally {
    await own?.stop()
  }
}

async function runOn(
  own: OwnServer | undefined,
  found: FoundPdfs,
  options: CorpusOptions,
  progress: Terminal,
  signal: AbortSignal,
): Promise<CorpusRun> {
  const server = own?.url ?? options.server!
  await openExchange(server, undefined, signal)({ path: '/healthz', what: 'to say how it is' })
  const apiKey = own?.apiKey ?? options.apiKey ?? (await findApiKey(server, process.env))
  const client = publicationClient(server, apiKey, signal)
  const startedMs = performance.now()
  const probe = startProbe(server)
  const memory = own === undefined ? undefined : watchMemory(own.pid)
  const outcomes = await publishAll(found.files, { client, own, options, progress, signal })
  const answers = await probe.stop()
  const peakMemoryBytes = memory?.stop()
  signal.throwIfAborted()
  const tookMs = performance.now() - startedMs
  const { unreadable: unreadableFolders } = found
  return { outcomes, unreadableFolders, tookMs, answers, peakMemoryBytes, serverEnd: own?.ended() }
}

type Publishing = {
  client: PublicationClient
  own: OwnServer | undefined
  options: CorpusOptions
  progress: Terminal
  signal: AbortSignal
}

/** Publishes a few files at a time, until all are done or the server has ended. */
async function publishAll(files: readonly FoundPdf[], { client, own, options, progress, signal }: Publishing) {
  const outcomes: Outcome[] = []
  const underWay = new Set<string>()
  const status = showStatus(progress, (width) => statusOf(outcomes, files.length, underWay).slice(0, width))
  const queue = files.values()
  const work = async () => {
    for (const file of queue) {
      if (signal.aborted || own?.ended() !== undefined) return
      underWay.add(file.name)
      outcomes.push(await publishOne(file, { client, stuckAfterMs: options.stuckAfterSec * 1000 }))
      underWay.delete(file.name)
    }
  }
  try {
    await Promise.all(Array.from({ length: options.atOnce }, work))
  } finally {
    status.stop()
  }
  return outcomes.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function statusOf(outcomes: readonly Outcome[], files: number, underWay: ReadonlySet<string>): string {
  const ready = outcomes.filter(({ kind }) => kind === 'ready').length
  const names = underWay.size === 0 ? '' : ` Under way: ${[...underWay].join(', ')}`
  return `${outcomes.length} of ${files} files, ${ready} ready.${names}`
}
