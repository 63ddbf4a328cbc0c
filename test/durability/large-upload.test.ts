import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sendBytes } from '../support/send-bytes.ts'
import { type StartedProcess, startProcess } from '../support/start-process.ts'
import { pdfOfSize } from '../support/upload-requests.ts'

const FILE_BYTES = 1_000_000_000
/** Additional memory that the process may use: a tenth of the file, to allow for variations of the runtime. */
const MAX_GROWTH_BYTES = 100_000_000
const SAMPLE_EVERY_MS = 20

describe('an upload of a gigabyte', { skip: reasonToSkip() }, () => {
  test('is accepted with memory that does not grow with its size', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'large-upload-'))
    const server = await startProcess({ DATA_DIR: dataDir, MAX_UPLOAD_BYTES: String(FILE_BYTES) }, [], { flags: [] })
    t.after(async () => {
      await server.stop('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    })
    // Memory of the first upload stays allocated, whatever the size of later ones.
    await upload(server, 20_000_000)

    const memory = watchMemory(server.pid)
    const size = await upload(server, FILE_BYTES)
    const { startBytes, peakBytes } = memory.stop()

    assert.equal(size, FILE_BYTES)
    const growth = `from ${mega(startBytes)} to ${mega(peakBytes)} MB`
    t.diagnostic(growth)
    assert.ok(peakBytes - startBytes < MAX_GROWTH_BYTES, growth)
  })
})

/** Uploads a file that is generated while it is sent. @returns the size acknowledged by the server */
async function upload({ url, apiKey }: StartedProcess, bytes: number): Promise<number> {
  const headers = { 'X-API-Key': apiKey!, 'Content-Type': 'application/json' }
  const asked = await fetch(`${url}/publications/upload-url`, { method: 'POST', headers, body: '{"type":"pdf"}' })
  const { uploadUrl } = (await asked.json()) as { uploadUrl: string }
  const answer = await sendBytes(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/pdf', 'Content-Length': bytes },
    body: repeated(pdfOfSize(1_000_000), bytes),
  })
  assert.equal(answer.status, 200, answer.body.toString())
  return (JSON.parse(answer.body.toString()) as { size: number }).size
}

function* repeated(block: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += block.length) yield block.subarray(0, bytes - at)
}

/** Samples the memory of a process from now on. */
function watchMemory(pid: number): { stop(): { startBytes: number; peakBytes: number } } {
  const startBytes = residentBytes(pid)
  let peakBytes = startBytes
  const look = () => {
    peakBytes = Math.max(peakBytes, residentBytes(pid))
  }
  const sampling = setInterval(look, SAMPLE_EVERY_MS)
  return {
    stop() {
      clearInterval(sampling)
      look()
      return { startBytes, peakBytes }
    },
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

function mega(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}

function reasonToSkip(): string | false {
  if (!existsSync('/proc/self/status')) return 'there is no /proc that tells what memory a process has'
  const { bavail, bsize } = statfsSync(tmpdir())
  return bavail * bsize < 2 * FILE_BYTES && 'there is too little room for temporary files'
}
