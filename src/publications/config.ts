import { blobsAddress, httpAddress, integer } from '#platform/config.ts'

/** Settings of the publication service. */
export const publicationsConfig = {
  rateLimit: {
    env: 'PUBLICATIONS_RATE_LIMIT',
    fallback: '100',
    doc: 'Requests per second for one client address over all endpoints of the API; 0 = off. Uploads, public pages, page images and signed files are not counted.',
    read: integer(0, 1_000_000),
  },
  maxUploadBytes: {
    env: 'MAX_UPLOAD_BYTES',
    fallback: '200000000',
    doc: 'Largest PDF that may be uploaded, in bytes.',
    read: integer(1, 1_000_000_000_000),
  },
  maxPages: {
    env: 'MAX_PAGES',
    fallback: '5000',
    doc: 'A PDF with more pages than this is refused.',
    read: integer(1, 100_000),
  },
  imageCacheBytes: {
    env: 'PAGE_IMAGE_CACHE_BYTES',
    fallback: '67108864',
    doc: 'Memory for page images that were delivered last, in bytes; they are sent without reading them again.',
    read: integer(0, 1_000_000_000_000),
  },
  blobsUrl: {
    env: 'BLOBS_URL',
    fallback: '',
    doc: "Where uploaded files and page images are kept. Empty: files in DATA_DIR. s3://bucket?endpoint=…&region=…: a bucket, which several instances can share; its credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or the machine's role.",
    read: blobsAddress,
  },
  publicUrl: {
    env: 'PUBLIC_URL',
    fallback: '',
    doc: 'Address of the public site, where /p/<slug> is. Empty: BASE_URL. A proxy may serve it under a host name of its own.',
    read: httpAddress,
  },
  cdnUrl: {
    env: 'CDN_URL',
    fallback: '',
    doc: 'Address of image delivery: where page images are fetched, such as a CDN with this server as its origin. Empty: BASE_URL.',
    read: httpAddress,
  },
}
