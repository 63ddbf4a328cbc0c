import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProvider } from '../../operator/support/start-provider.ts'
import type { Owner, TestDatabase } from '../databases.ts'
import { type StartedProcess, startProcess } from '../start-process.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'
import { ask, type Exchange, STORED_BASE_URL } from './exchange.ts'
import { fillInstallation } from './fill-installation.ts'
import { dumpPostgres } from './postgres-dump.ts'
import { questions } from './questions.ts'
import { packRelease, type ReleaseArchive } from './release-archive.ts'
import { unaskedEndpoints } from './unasked-endpoints.ts'

/** The schemas of all services. */
export const SCHEMAS = ['operator', 'publications', 'tracks']

/** Settings that the answers depend on. */
const SETTINGS = {
  BASE_URL: STORED_BASE_URL,
  SERVICES: 'tracks,publications,dashboard',
  TITLE_TIME_ZONE: 'Europe/Paris',
  TRACKS_RATE_LIMIT: '0',
  PUBLICATIONS_RATE_LIMIT: '0',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
}

/**
 * Fills a new installation of this program on an engine, asks it everything, and packs its state from before the
 * questions together with the answers. The installation is stopped in between, so that everything is in its database.
 */
export async function storeInstallation(owner: Owner, database: TestDatabase, file: string): Promise<ReleaseArchive> {
  const address = await database.open(owner)
  const dataDir = address.dataDir || mkdtempSync(join(tmpdir(), 'stored-'))
  const packed = mkdtempSync(join(tmpdir(), 'packed-'))
  const provider = await startProvider(owner)
  const stored = { ...SETTINGS, ...provider.settings }
  const settings = { ...stored, DATA_DIR: dataDir, DATABASE_URL: address.url }
  const started: StartedProcess[] = []
  const start = async () => {
    started.push(await startProcess(settings))
    return started.at(-1)!
  }
  try {
    const first = await start()
    const webhooks = await startWebhookReceiver(owner)
    const signInToken = /lnk_[\w-]+/.exec(first.output().stdout)![0]
    const { url, token, apiKey } = first
    const filled = await fillInstallation({ url, token: token!, apiKey: apiKey!, signInToken, webhooks, provider })
    assert.equal(await first.stop(), 0, first.output().stderr)
    cpSync(dataDir, packed, { recursive: true })
    const dump = address.url === '' ? undefined : await dumpPostgres(address.url, SCHEMAS)
    const second = await start()
    const askedAtMs = Date.now()
    const exchanges: Exchange[] = []
    for (const request of questions(filled)) exchanges.push({ request, answer: await ask(second.url, request) })
    await second.stop()
    requireEverythingAsked(exchanges)
    const archive = { settings: stored, askedAtMs, exchanges }
    await packRelease(file, packed, archive, dump)
    return archive
  } finally {
    // Those that a failure has left.
    for (const { child, stop } of started)
      if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
    rmSync(packed, { recursive: true, force: true })
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Requires a good answer of every endpoint that reads, so that no release is stored that a later one could break
 * unnoticed.
 */
function requireEverythingAsked(exchanges: readonly Exchange[]): void {
  const good = exchanges.filter(({ request, answer }) => request.method === 'GET' && answer.status < 400)
  assert.deepEqual(
    unaskedEndpoints(good.map(({ request }) => request.path)),
    [],
    'endpoints without a good answer; test/support/releases/questions.ts has to ask them',
  )
}
