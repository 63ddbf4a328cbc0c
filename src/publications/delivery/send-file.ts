import type { HttpServer } from '#platform/http/http-server.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import { sendBlob } from '#platform/http/ranges/send-blob.ts'
import type { PublicationsDeps } from '../deps.ts'
import { publicationNotFound, publicationWithdrawn } from '../errors.ts'
import type { ReadableFile } from '../storage/reading-store.ts'
import type { FileUse } from './file-addresses.ts'

/** GET /files/:versionId with the signature that `getPdfUrl` and `downloadPdf` give. */
export function sendFile(app: HttpServer, { reading, fileAddresses, blobs }: PublicationsDeps) {
  app.get<{ Params: { versionId: string } }>(
    '/files/:versionId',
    { schema: { hide: true } },
    async (request, reply) => {
      // Viewers on other pages: the address is what opens it, and no cookie is looked at. Failures are theirs to read, too.
      reply.raw.setHeader('access-control-allow-origin', '*')
      const { epoch, use } = fileAddresses.open(request.method, request.raw.url!)
      const file = await reading.findByVersion(request.params.versionId)
      if (file === undefined) throw publicationNotFound()
      if (file.unpublishedAtMs !== null || file.epoch !== epoch) throw publicationWithdrawn()
      const { blobKey: key, sha256: etag, size } = file
      return await sendBlob(request, reply, blobs, { key, etag, size, headers: headersOf(file, use) })
    },
  )
}

/**
 * A file that somebody uploaded, on an address of ours: it can load nothing and run nothing. Chrome lays its PDF viewer
 * out with inline styles, under the policy of the file itself, and shows nothing in a sandbox; so only what is to be
 * saved is put into one.
 */
const CONTENT_SECURITY_POLICY: Record<FileUse, string> = {
  inline: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  attachment: "default-src 'none'; sandbox",
}

function headersOf({ title }: ReadableFile, use: FileUse): Record<string, string> {
  return {
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition(use, title, 'pdf'),
    'content-security-policy': CONTENT_SECURITY_POLICY[use],
    // A browser may keep it, and asks before it shows it again: it may have been withdrawn.
    'cache-control': 'private, no-cache',
    // Links in the file are not to give its address away.
    'referrer-policy': 'no-referrer',
    'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  }
}
