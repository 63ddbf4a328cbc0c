import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'

/** Address that a balancer asks: points need the database, and no files. */
const CHECK_PATH = '/readyz?service=tracks'
const CHECK_EVERY_MS = 500
const CHECK_WITHIN_MS = 3000

const NO_SERVER = JSON.stringify({ status: 503, code: 'UNAVAILABLE', detail: 'No server is ready.' })
/** Replaces the pages that HAProxy has for people. */
const REFUSAL = [
  'HTTP/1.0 503 Service Unavailable',
  'Content-Type: application/problem+json',
  'Retry-After: 1',
  'Connection: close',
  '',
  NO_SERVER,
].join('\r\n')

/** A balancer in front of the instances: HAProxy where it is installed, else one of our own. */
export type Balancer = { url: string; name: string }

export async function startBalancer(owner: Owner, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const isInstalled = spawnSync('haproxy', ['-v']).status === 0
  await (isInstalled ? startHaproxy : startRoundRobin)(owner, port, ports)
  return { url: `http://127.0.0.1:${port}`, name: isInstalled ? 'HAProxy' : 'a round-robin proxy' }
}

async function startHaproxy(owner: Owner, port: number, ports: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const servers = ports.map((each) => `  server s${each} 127.0.0.1:${each} check inter ${CHECK_EVERY_MS} fall 2 rise 1`)
  const refusal = join(folder, 'refusal.http')
  writeFileSync(refusal, REFUSAL)
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    [
      'defaults',
      '  mode http',
      '  retries 2',
      '  option redispatch',
      '  timeout connect 2s',
      '  timeout client 60s',
      '  timeout server 60s',
      `  timeout check ${CHECK_WITHIN_MS}`,
      ...[502, 503, 504].map((status) => `  errorfile ${status} ${refusal}`),
      'listen trackpress',
      `  bind 127.0.0.1:${port}`,
      '  balance roundrobin',
      `  option httpchk GET ${CHECK_PATH}`,
      ...servers,
      '',
    ].join('\n'),
  )
  const child: ChildProcess = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db'], { stdio: 'ignore' })
  owner.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  while ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)) === undefined) await wait(50)
}

/** Passes each request to the next instance that is ready. A request that cannot be sent at all goes to another one. */
async function startRoundRobin(owner: Owner, port: number, ports: readonly number[]): Promise<void> {
  const ready = new Set(ports)
  let turn = 0

  const checks = ports.map((each) => setInterval(() => void check(each), CHECK_EVERY_MS))
  async function check(each: number): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${each}${CHECK_PATH}`, {
      signal: AbortSignal.timeout(CHECK_WITHIN_MS),
    }).catch(() => undefined)
    if (answer?.ok) ready.add(each)
    else ready.delete(each)
    await answer?.body?.cancel()
  }

  function pass(incoming: IncomingMessage, response: ServerResponse, attempts: number): void {
    const choice = ports.filter((each) => ready.has(each))
    if (choice.length === 0 || attempts === 0) {
      refuse(incoming, response)
      return
    }
    const chosen = choice[turn++ % choice.length]
    const { method, url: path, headers } = incoming
    const outgoing: ClientRequest = request({ port: chosen, host: '127.0.0.1', method, path, headers })
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) incoming.pipe(outgoing)
      else socket.once('connect', () => incoming.pipe(outgoing))
    })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      ready.delete(chosen)
      if (error.code === 'ECONNREFUSED') pass(incoming, response, attempts - 1)
      else response.destroy()
    })
    response.on('close', () => outgoing.destroy())
  }

  const server = createServer((incoming, response) => pass(incoming, response, ports.length))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  owner.after(() => {
    for (const timer of checks) clearInterval(timer)
    server.closeAllConnections()
    server.close()
  })
}

function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume()
  response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
  response.end(NO_SERVER)
}
