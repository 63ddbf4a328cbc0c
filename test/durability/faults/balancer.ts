import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'

/** Address that a balancer asks: points need the database, and no files. */
const CHECK_PATH = '/readyz?service=tracks'
const CHECK_EVERY_MS = 500
const CHECK_WITHIN_MS = 3000
/** Failed checks in succession after which an instance gets no more requests. */
const CHECKS_TO_FAIL = 2

/** Longer than requests take. */
const DRAIN_MS = 3000

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
export type Balancer = {
  url: string
  name: string
  /** Sends no further requests to an instance, and waits until it has answered those that it has. */
  drain(port: number): Promise<void>
}

export async function startBalancer(owner: Owner, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const isInstalled = spawnSync('haproxy', ['-v']).status === 0
  const { drain } = await (isInstalled ? startHaproxy : startRoundRobin)(owner, port, ports)
  return { url: `http://127.0.0.1:${port}`, name: isInstalled ? 'HAProxy' : 'a round-robin proxy', drain }
}

async function startHaproxy(owner: Owner, port: number, ports: readonly number[]): Promise<Pick<Balancer, 'drain'>> {
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const servers = ports.map(
    (each) => `  server s${each} 127.0.0.1:${each} check inter ${CHECK_EVERY_MS} fall ${CHECKS_TO_FAIL} rise 1`,
  )
  const refusal = join(folder, 'refusal.http')
  writeFileSync(refusal, REFUSAL)
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    [
      'global',
      `  stats socket ${join(folder, 'admin')} level admin`,
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
  return {
    async drain(each) {
      const socket = connect(join(folder, 'admin'))
      socket.end(`set server trackpress/s${each} state drain\n`)
      await once(socket.resume(), 'close')
      await wait(DRAIN_MS)
    },
  }
}

/** Passes each request to the next instance that is ready. A request that cannot be sent at all goes to another one. */
async function startRoundRobin(owner: Owner, port: number, ports: readonly number[]): Promise<Pick<Balancer, 'drain'>> {
  const ready = new Set(ports)
  const draining = new Set<number>()
  const running = new Map(ports.map((each) => [each, 0]))
  const failed = new Map<number, number>()
  let turn = 0

  const checks = ports.map((each) => setInterval(() => void check(each), CHECK_EVERY_MS))
  async function check(each: number): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${each}${CHECK_PATH}`, {
      signal: AbortSignal.timeout(CHECK_WITHIN_MS),
    }).catch(() => undefined)
    failed.set(each, answer?.ok ? 0 : (failed.get(each) ?? 0) + 1)
    if (answer?.ok) ready.add(each)
    else if (failed.get(each)! >= CHECKS_TO_FAIL) ready.delete(each)
    await answer?.body?.cancel()
  }

  function pass(incoming: IncomingMessage, response: ServerResponse, attempts: number): void {
    const choice = ports.filter((each) => ready.has(each) && !draining.has(each))
    if (choice.length === 0 || attempts === 0) {
      refuse(incoming, response)
      return
    }
    const chosen = choice[turn++ % choice.length]
    const count = (change: number) => running.set(chosen, running.get(chosen)! + change)
    count(1)
    const { method, url: path, headers } = incoming
    const outgoing: ClientRequest = request({ port: chosen, host: '127.0.0.1', method, path, headers })
    outgoing.once('close', () => count(-1))
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
  return {
    async drain(each) {
      draining.add(each)
      while (running.get(each)! > 0) await wait(20)
    },
  }
}

function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume()
  response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
  response.end(NO_SERVER)
}
