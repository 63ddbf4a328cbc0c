import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Secrets } from '../basics/secrets.ts'
import { fileSize } from '../basics/text.ts'
import { hostName, hostNameOf } from '../http/client.ts'
import { clockFinding } from './check-postgres.ts'
import { doctorTicket, type SeenRequest, STREAM_PAUSE_MS, TICKET_HEADER } from './doctor-routes.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('server')

const ANSWER_WITHIN_MS = 5_000

/** A running server, and the program that asks it. */
type ServerCheck = {
  /** The address on this machine. */
  ownUrl: string
  /** The public address; empty if there is none. */
  baseUrl: string
  /** Undefined if there is no secret yet, so that no server has started. */
  secrets: Secrets | undefined
  version: string
  build: string | undefined
  /** Largest body that clients may send. */
  largestBodyBytes: number
  now: () => number
}

/** Asks the running server on its own address, and compares its view of a request to its public one. */
export async function checkServer(check: ServerCheck): Promise<Finding[]> {
  const findings = [await readiness(check.ownUrl)]
  if (check.secrets === undefined) return findings
  const url = check.baseUrl || check.ownUrl
  const headers = { [TICKET_HEADER]: doctorTicket(check.secrets, check.now()) }
  let answer: IncomingMessage
  try {
    answer = await ask(url, '/doctor/request', { headers })
  } catch (cause) {
    const remedy =
      'Start the server and its proxy. If only this machine cannot reach the address, run the doctor elsewhere as well.'
    return [...findings, warning('BASE_URL', `${url} does not answer: ${(cause as Error).message}.`, remedy)]
  }
  const body = await text(answer)
  if (answer.statusCode !== 200) return [...findings, unknownServer(url, answer.statusCode!)]
  const seen = JSON.parse(body) as SeenRequest
  return [
    ...findings,
    programFinding(seen, check),
    clockFinding('clock', 'the server', seen.clockMs - check.now()),
    hostFinding(seen, url),
    ...proxyFindings(seen, url),
    await bodyFinding(url, headers, check.largestBodyBytes),
    await streamFinding(url, headers),
    ...(seen.isForwarded ? [await privateFinding(url)] : []),
  ]
}

async function readiness(ownUrl: string): Promise<Finding> {
  try {
    const answer = await ask(ownUrl, '/readyz')
    const body = await text(answer)
    if (answer.statusCode === 200) return ok('running', `${ownUrl} is ready.`)
    const { checks = {} } = JSON.parse(body) as { checks?: Record<string, string> }
    const failing = Object.entries(checks).filter(([, state]) => state !== 'ok')
    return error(
      'running',
      `Not ready: ${failing.map(([name, state]) => `${name}: ${state}`).join(' ')}`,
      'See the findings above.',
    )
  } catch (cause) {
    return warning(
      'running',
      `No server answers at ${ownUrl}: ${(cause as Error).message}.`,
      'Start it, or compare HOST and PORT with those of the server.',
    )
  }
}

function unknownServer(url: string, status: number): Finding {
  const found = `${url} answered ${status}: its server does not know the secret of this installation.`
  const remedy =
    'Run the doctor with the settings of the server (SECRET_KEY, DATA_DIR). Otherwise, BASE_URL or the proxy leads to another server or an older version, or the proxy drops X-Doctor.'
  return warning('BASE_URL', found, remedy)
}

function programFinding({ version, build }: SeenRequest, check: ServerCheck): Finding {
  if (version === check.version && build === check.build) return ok('version', `${version} is running.`)
  const other = version === check.version ? 'another build' : `version ${version}`
  return warning(
    'version',
    `The server runs ${other}; this program is version ${check.version}.`,
    'Restart the server.',
  )
}

function hostFinding({ host = '' }: SeenRequest, url: string): Finding {
  if (hostName(host) === hostNameOf(url)) return ok('Host', `Arrives as ${host}.`)
  const found = `A request for ${hostNameOf(url)} arrives with Host: ${host}. The dashboard and signed-in requests depend on it.`
  return error('Host', found, 'Have the proxy pass on Host (nginx: proxy_set_header Host $http_host;).')
}

function proxyFindings({ isForwarded, isTrusted, peer }: SeenRequest, url: string): Finding[] {
  if (isForwarded && !isTrusted) {
    const found = `The proxy at ${peer} names clients in X-Forwarded-For, and is not trusted. All clients count as one address.`
    return [
      error('X-Forwarded-For', found, `Set TRUSTED_PROXIES=${peer.replace(/^::ffff:/, '')}, if that is your proxy.`),
    ]
  }
  if (isForwarded) return [ok('X-Forwarded-For', `Accepted from the proxy at ${peer}.`)]
  if (!url.startsWith('https:')) return []
  const remedy = 'Have it send the header (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;).'
  return [warning('X-Forwarded-For', 'The proxy does not name clients, so all count as one address.', remedy)]
}

/** Announces a body of the largest size and sends its beginning. The server answers without the rest. */
async function bodyFinding(url: string, headers: Record<string, string>, bytes: number): Promise<Finding> {
  const size = fileSize(bytes, 'en')
  try {
    const answer = await ask(url, '/doctor/request', {
      method: 'POST',
      headers: { ...headers, 'content-length': bytes },
      body: 'x'.repeat(1024),
    })
    answer.destroy()
    if (answer.statusCode === 200) return ok('uploads', `Bodies of ${size} pass, as they arrive.`)
    const found = `A body of ${size} is refused with ${answer.statusCode}.`
    return error(
      'uploads',
      found,
      `Raise the limit of the proxy (nginx: client_max_body_size ${Math.ceil(bytes / 1_048_576)}m;).`,
    )
  } catch {
    const found = 'The proxy collects a request before it passes it on. Uploads are slow, and need its disk.'
    return warning('uploads', found, 'Turn that off (nginx: proxy_request_buffering off;).')
  }
}

async function streamFinding(url: string, headers: Record<string, string>): Promise<Finding> {
  try {
    const answer = await ask(url, '/doctor/stream', { headers })
    let firstMs: number | undefined
    for await (const _ of answer) firstMs ??= performance.now()
    if (performance.now() - (firstMs ?? 0) > STREAM_PAUSE_MS / 2)
      return ok('live streams', 'Arrive part by part. WebSockets are not needed.')
    const found = 'The proxy holds back a stream until it ends: live maps stand still.'
    return error(
      'live streams',
      found,
      'Turn off buffering of responses (nginx: proxy_buffering off; Caddy: flush_interval -1).',
    )
  } catch (cause) {
    const remedy = 'Raise the time limit of the proxy (nginx: proxy_read_timeout 300s;).'
    return error('live streams', `A stream broke off: ${(cause as Error).message}.`, remedy)
  }
}

async function privateFinding(url: string): Promise<Finding> {
  const paths: string[] = []
  for (const path of ['/metrics', '/readyz']) {
    const answer = await ask(url, path).catch(() => undefined)
    answer?.destroy()
    if (answer !== undefined && [200, 503].includes(answer.statusCode!)) paths.push(path)
  }
  if (paths.length === 0) return ok('private addresses', '/metrics and /readyz are not public.')
  return warning('private addresses', `${paths.join(' and ')} can be read by everyone.`, 'Block them at the proxy.')
}

type Asked = { method?: string; headers?: Record<string, string | number>; body?: string }

/** Sends a request and returns the head of the answer. A body stays unfinished if its length says more. */
async function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing: ClientRequest = send(
    url + path,
    { method, headers, agent: false, timeout: ANSWER_WITHIN_MS },
    resolve,
  )
  outgoing.on('error', reject)
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), ANSWER_WITHIN_MS)
  if (body === undefined) outgoing.end()
  else outgoing.write(body)
  return await promise.finally(() => clearTimeout(timer))
}
