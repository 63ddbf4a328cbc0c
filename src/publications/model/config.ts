import { httpAddress, integer, oneOf } from '#platform/basics/config.ts'
import { blobsAddress } from '#platform/blobs/s3-address.ts'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

/** Settings of the publication service. */
export const publicationsConfig = {
  rateLimit: {
    env: 'PUBLICATIONS_RATE_LIMIT',
    fallback: '100',
    doc: 'Requests per second from one client address, over all endpoints of the API; 0 = no limit. Uploads, public pages, page images and signed files do not count.',
    read: integer(0, 1_000_000),
  },
  maxUploadBytes: {
    env: 'MAX_UPLOAD_BYTES',
    fallback: '200000000',
    doc: 'Largest PDF that can be uploaded, in bytes; at most 4 GiB, which is all that the renderer can read of a file.',
    // PDFium counts bytes of a file in 32 bits.
    read: integer(1, 2 ** 32 - 1),
  },
  maxPages: {
    env: 'MAX_PAGES',
    fallback: '5000',
    doc: 'PDFs with more pages than this are refused.',
    read: integer(1, 100_000),
  },
  versionsKept: {
    env: 'VERSIONS_KEPT',
    fallback: '5',
    doc: 'Former versions of a publication that are kept after its file was replaced, each with its file and images; 0 keeps each for a day only.',
    read: integer(0, 1_000),
  },
  recognition: {
    env: 'OCR',
    fallback: 'on',
    doc: 'on recognises the text of pages without any, such as scans, while nothing has to be rendered. off leaves them without text; what was recognised before stays.',
    read: (value: string) => oneOf('on', 'off')(value) === 'on',
  },
  recognitionLanguages: {
    env: 'OCR_LANGUAGES',
    fallback: 'eng+fra',
    doc: 'Languages of scans whose document states none, with + between them. Each needs its package, such as @tesseract.js-data/deu for deu.',
    read: languageCodes,
  },
  imageCacheBytes: {
    env: 'PAGE_IMAGE_CACHE_BYTES',
    fallback: '67108864',
    doc: 'Memory for recently delivered page images, in bytes; they are sent without reading them from storage again.',
    read: integer(0, 1_000_000_000_000),
  },
  blobsUrl: {
    env: 'BLOBS_URL',
    fallback: '',
    doc: "Storage of uploaded files and page images. Empty: files in DATA_DIR. s3://bucket?endpoint=…&region=…: a bucket, which several instances can share; credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or the machine's role.",
    read: blobsAddress,
    // It may contain credentials.
    secret: true,
  },
  publicUrl: {
    env: 'PUBLIC_URL',
    fallback: '',
    doc: 'Address of the public site, where /p/<slug> and /w/<slug> are. Empty: BASE_URL. A proxy may serve it under a host name of its own.',
    read: httpAddress,
  },
  cdnUrl: {
    env: 'CDN_URL',
    fallback: '',
    doc: 'Address of file delivery: where page images and signed PDFs are fetched, such as a CDN with this server as its origin. Empty: BASE_URL.',
    read: httpAddress,
  },
}

const MAX_LANGUAGES = 4

/** Reads codes of languages, `eng+fra`. */
function languageCodes(value: string): readonly string[] {
  const codes = value.split('+')
  if (codes.length > MAX_LANGUAGES || !codes.every((code) => /^[a-z]{3}(_[a-z]{3,8})?$/.test(code)))
    throw new Error(`must be one to ${MAX_LANGUAGES} codes such as eng or chi_sim, with + between them`)
  return codes
}

/** The installation's absolute addresses, without a trailing slash; known once the server listens. */
export type Addresses = { base(): string; public(): string; cdn(): string }

const { ok, warning, error } = findingsOf('publications')

type CheckedSettings = { publicUrl: string; cdnUrl: string; rateLimit: number }

/** Checks the addresses of readers and files against the address of the dashboard. */
export function checkPublicationsSettings(
  { publicUrl, cdnUrl, rateLimit }: CheckedSettings,
  baseUrl: string,
): Finding[] {
  const isSecure = baseUrl.startsWith('https://')
  const findings = [
    ['PUBLIC_URL', publicUrl, 'readers are'],
    ['CDN_URL', cdnUrl, 'files are'],
  ].map(([name, url, who]): Finding => {
    if (url === '') return ok(name, 'Not set; BASE_URL is used.')
    if (isSecure && url.startsWith('http://'))
      return error(
        name,
        `${url} is not encrypted, unlike BASE_URL. Browsers refuse it on secure pages.`,
        `Set ${name}=https://…`,
      )
    if (url === baseUrl)
      return warning(
        name,
        `It equals BASE_URL, so ${who} under the host name of the dashboard.`,
        'Use a host name of its own, or leave the setting empty.',
      )
    return ok(name, url)
  })
  if (rateLimit === 0)
    findings.push(
      warning('PUBLICATIONS_RATE_LIMIT', 'There is no limit.', 'Remove the setting, unless the proxy limits requests.'),
    )
  return findings
}
