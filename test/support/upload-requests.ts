import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { numberedPages } from './make-pdf-examples.ts'
import { type BytesAnswer, sendBytes } from './send-bytes.ts'
import type { StartedPublications } from './start-service.ts'

export type WireTicket = { uploadUrl: string; token: string; storageKey: string; pdfPath: string; workspaceId: string }

/** The requests that upload a file. */
export type UploadRequests = {
  /** Requests a ticket, which must succeed. */
  ticket(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<WireTicket>
  /** Sends a body to an upload address, as a PDF unless the headers say otherwise. */
  put(
    uploadUrl: string,
    body: Buffer | Iterable<Buffer> | AsyncIterable<Buffer>,
    headers?: OutgoingHttpHeaders,
  ): Promise<BytesAnswer>
}

export function uploadRequests({ request }: Pick<StartedPublications, 'request'>): UploadRequests {
  return {
    async ticket(fields = {}, headers = {}) {
      const response = await request('POST', '/publications/upload-url', { type: 'pdf', ...fields }, headers)
      const text = await response.text()
      assert.equal(response.status, 200, text)
      return JSON.parse(text) as WireTicket
    },
    put: (uploadUrl, body, headers = {}) =>
      sendBytes(uploadUrl, { method: 'PUT', headers: { 'Content-Type': 'application/pdf', ...headers }, body }),
  }
}

/** Returns bytes that begin like a PDF, with arbitrary bytes after that. */
export function pdfOfSize(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 'Bytes after the header. ')
  file.write('%PDF-1.7\n')
  return file
}

/** Returns a PDF of one page that has this many bytes, most of them a comment. */
export function largePdf(bytes: number): Buffer {
  const pdf = numberedPages(1)
  const end = pdf.subarray(pdf.lastIndexOf('startxref'))
  const comment = Buffer.alloc(bytes - pdf.length - end.length, '% of no meaning. ')
  comment.write('\n')
  comment.write('\n', comment.length - 1)
  return Buffer.concat([pdf, comment, end])
}

/** Checks the form of an error response. @returns its status and code */
export function refusal(answer: BytesAnswer): string {
  assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/, answer.body.toString())
  const problem = JSON.parse(answer.body.toString()) as { status: number; code: string; request_id: string }
  assert.equal(problem.status, answer.status)
  assert.equal(problem.request_id, answer.headers['x-request-id'])
  return `${problem.status} ${problem.code}`
}
