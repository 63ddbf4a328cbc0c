import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { databases } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { startLibrary } from '../support/operator-library.ts'
import { untilRendered } from '../support/publish.ts'

const DOCUMENT = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
const EXAMPLE = /```caddyfile\n(.*?)```/s.exec(DOCUMENT)![1]
const CADDY = ['caddy', '/usr/bin/caddy'].find((program) => spawnSync(program, ['version']).status === 0)
const OWN = 'reports.example.com'

/** Starts Caddy with the documented example, certificates of its own and folders of its own. @returns its port */
async function startCaddy(serverUrl: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  const [port, httpPort] = [await freePort(), await freePort()]
  const local = `admin off\n\tlocal_certs\n\tskip_install_trust\n\thttps_port ${port}\n\thttp_port ${httpPort}\n\tstorage file_system ${folder}`
  const config = EXAMPLE.replace('{\n', `{\n\t${local}\n`).replaceAll('127.0.0.1:8080', new URL(serverUrl).host)
  writeFileSync(join(folder, 'Caddyfile'), config)
  const child = spawn(CADDY!, ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  })
  after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  while ((await fetch(`http://127.0.0.1:${httpPort}/`, { redirect: 'manual' }).catch(() => undefined)) === undefined) {
    assert.equal(child.exitCode, null, 'Caddy has ended')
    await wait(50)
  }
  return port
}

const sqlite = databases.find(({ name }) => name === 'SQLite')
const reason =
  CADDY === undefined ? 'Caddy is not installed' : sqlite === undefined && 'TEST_DATABASES leaves SQLite out'

describe('Caddy, which asks before it fetches a certificate', { skip: reason }, async () => {
  if (sqlite === undefined || CADDY === undefined) return
  const settings = { PUBLIC_URL: 'https://read.example.org', TRUSTED_PROXIES: '127.0.0.1,::1' }
  const { service, ask, createWorkspace, publish } = await startLibrary({ after }, sqlite, { settings })
  const { id } = await createWorkspace()
  const { slug } = await publish(id, 'Report')
  await untilRendered(service, slug)
  await ask(200, 'PUT', `/operator/workspaces/${id}/face`, { slug: 'city', name: 'City archive' })
  await ask(200, 'PUT', `/operator/workspaces/${id}/face/domain`, { domain: OWN })
  const port = await startCaddy(service.url)

  /** Reads an address under a host name through Caddy, and the name in its certificate. */
  async function read(host: string, path: string) {
    const options = { host: '127.0.0.1', port, path, servername: host, headers: { host }, rejectUnauthorized: false }
    const outgoing = request({ ...options, agent: false }).end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { subjectaltname } = (incoming.socket as TLSSocket).getPeerCertificate()
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    return { status: incoming.statusCode, subjectaltname, text: Buffer.concat(pieces).toString() }
  }

  test('shows the shelf and the publications of a workspace under its own name', async () => {
    const shelf = await read(OWN, '/')
    assert.deepEqual([shelf.status, shelf.subjectaltname], [200, `DNS:${OWN}`])
    assert.match(shelf.text, new RegExp(`href="https://${OWN}/${slug}"`))
    assert.equal((await read(OWN, `/${slug}`)).status, 200)
    assert.equal((await read(OWN, '/dashboard/')).status, 404)
  })

  test('has no certificate for other names', async () => {
    for (const host of ['unknown.example.com', `www.${OWN}`, 'read.example.org']) await assert.rejects(read(host, '/'))
  })
})
