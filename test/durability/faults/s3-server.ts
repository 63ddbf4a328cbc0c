import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Owner } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

const PROGRAM = fileURLToPath(new URL('s3-process.ts', import.meta.url))

/** A bucket at the end of a line that can break. */
export type S3Server = {
  name: string
  /** As `BLOBS_URL` takes it. */
  url: string
  line: TcpProxy
}

/** Starts a server in a process of its own, unless `FAULTS_S3_URL` names a bucket (`s3://…?endpoint=http://…`). */
export async function startS3Server(owner: Owner): Promise<S3Server> {
  const given = process.env.FAULTS_S3_URL
  const address = new URL(given ?? (await startOwn(owner)))
  const endpoint = new URL(address.searchParams.get('endpoint')!)
  const line = await startTcpProxy(owner, endpoint)
  address.searchParams.set('endpoint', `http://127.0.0.1:${line.port}`)
  return { name: given === undefined ? 'S3rver' : endpoint.host, url: address.href, line }
}

async function startOwn(owner: Owner): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 's3-'))
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, String(await freePort()), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owner.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return String(line).trim()
}
