import Type from 'typebox'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import { sendBlob } from '#platform/http/ranges/send-blob.ts'
import { publicationNotFound, publicationUnpublished } from '../errors.ts'
import type { FilesStore, VersionFile } from '../storage/files-store.ts'
import type { FileAddresses, FileUse } from './file-addresses.ts'

type Deps = {
  files: Pick<FilesStore, 'findByVersion'>
  fileAddresses: Pick<FileAddresses, 'open'>
  blobs: BlobStore
}

/** GET /files/:versionId with the signature that `getPdfUrl` and `downloadPdf` issue. */
export function sendFile(app: HttpServer, { files, fileAddresses, blobs }: Deps) {
  app.get(
    '/files/:versionId',
    { schema: { hide: true, params: Type.Object({ versionId: Type.String() }) } },
    async (request, reply) => {
      // Viewers on other sites may read the file and its failures: the address grants access, cookies are ignored.
      reply.raw.setHeader('access-control-allow-origin', '*')
      const { epoch, use } = fileAddresses.open(request.method, request.raw.url!)
      const file = await files.findByVersion(request.params.versionId)
      if (file === undefined) throw publicationNotFound()
      if (file.unpublishedAtMs !== null || file.epoch !== epoch) throw publicationUnpublished()
      const { blobKey: key, sha256: etag, size } = file
      return await sendBlob(request, reply, blobs, { key, etag, size, headers: headersOf(file, use) })
    },
  )
}

/**
 * Keeps an uploaded file on our host from loading or running anything. Chrome lays out its PDF viewer with inline
 * styles, under the policy of the file itself, and shows nothing in a sandbox; so only downloads are sandboxed.
 */
const CONTENT_SECURITY_POLICY: Record<FileUse, string> = {
  inline: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  attachment: "default-src 'none'; sandbox",
}

function headersOf({ title }: VersionFile, use: FileUse): Record<string, string> {
  return {
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition(use, title, 'pdf'),
    'content-security-policy': CONTENT_SECURITY_POLICY[use],
    // A browser may keep the file and revalidates it before showing it again: it may have been unpublished.
    'cache-control': 'private, no-cache',
    // Links in the file must not reveal its address.
    'referrer-policy': 'no-referrer',
    'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  }
}
