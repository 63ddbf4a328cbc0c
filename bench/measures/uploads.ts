import { type Figure, median } from '../figure.ts'
import { newTicket, putBytes } from '../publish-pdf.ts'
import type { Target } from '../target.ts'

const UPLOAD_BYTES = 100_000_000

/**
 * Measures an upload of 100 MB, taking turns with a bare server that writes the same bytes to a file. Ours is counted,
 * hashed, inspected and synced before it is answered.
 */
export async function measureUploads(server: Target, bare: Target, rounds: number): Promise<Figure[]> {
  const bytes = Buffer.alloc(UPLOAD_BYTES, 'bytes of a file, hardly to be told from others. ')
  bytes.write('%PDF-1.7\n')
  const ours: number[] = []
  const others: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const { uploadUrl } = await newTicket(server)
    const oursMs = await tookMs(() => putBytes(uploadUrl, bytes))
    const othersMs = await tookMs(() => putBytes(bare.url, bytes))
    if (round === 0) continue
    ours.push(oursMs)
    others.push(othersMs)
  }
  const ratio = median(ours.map((oursMs, i) => others[i] / oursMs))
  return [
    {
      what: 'upload of 100 MB',
      measured: `${rate(median(ours))}, ${ratio.toFixed(2)} of the bare server`,
      beside: `bare node:http server writing to a file ${rate(median(others))}`,
      target: 'at least 0.5, aim 0.9',
    },
  ]
}

function rate(ms: number): string {
  return `${Math.round(UPLOAD_BYTES / 1000 / ms)} MB/s`
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
