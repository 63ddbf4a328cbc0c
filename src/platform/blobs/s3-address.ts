import { isBlobKey } from './blob-store.ts'

/** A bucket and its connection settings. */
export type S3Address = {
  bucket: string
  /** Empty, or a folder that ends with `/`. */
  prefix: string
  endpoint: string | undefined
  region: string | undefined
  /** True if the bucket is in the path rather than in the host name. */
  forcePathStyle: boolean
  /** If undefined, from the environment, the shared AWS files, or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Largest blob in a bucket: a large one is uploaded among the drafts and copied, and one copy handles 5 GiB. */
export const MAX_S3_BLOB_BYTES = 5 * 1024 ** 3

const PARAMETERS = ['endpoint', 'region', 'prefix', 'forcePathStyle']
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/**
 * Parses `s3://bucket?endpoint=…&region=…&prefix=…&forcePathStyle=…`, with `keyId:secret@` before the bucket if the
 * credentials do not come from the environment. With an endpoint, the bucket is in the path by default, because few
 * such servers have host names for their buckets.
 * @throws Error whose message describes a valid text
 */
export function parseS3Address(text: string): S3Address {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 's3:') throw new Error('must begin with s3://')
  if (!BUCKET.test(url.hostname) || !['', '/'].includes(url.pathname) || url.port !== '' || url.hash !== '')
    throw new Error('must be s3://bucket, with everything else as parameters after a question mark')
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name)) throw new Error(`must have no parameters other than ${PARAMETERS.join(', ')}`)
  const endpoint = readEndpoint(url.searchParams.get('endpoint'))
  return {
    bucket: url.hostname,
    prefix: readPrefix(url.searchParams.get('prefix')),
    endpoint,
    region: url.searchParams.get('region') || (endpoint === undefined ? undefined : 'us-east-1'),
    forcePathStyle: readPathStyle(url.searchParams.get('forcePathStyle')) ?? endpoint !== undefined,
    credentials: readCredentials(url),
  }
}

/** Reads a setting that is empty or the address of a bucket. */
export function blobsAddress(value: string): string {
  if (value !== '') parseS3Address(value)
  return value
}

function readEndpoint(value: string | null): string | undefined {
  if (value === null || value === '') return undefined
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must have an endpoint that is an http or https URL')
  return url.href
}

function readPrefix(value: string | null): string {
  const folder = (value ?? '').replace(/\/$/, '')
  if (folder !== '' && !isBlobKey(folder))
    throw new Error('must have a prefix of letters, digits, ".", "_" and "-", with "/" between its parts')
  return folder === '' ? '' : `${folder}/`
}

function readPathStyle(value: string | null): boolean | undefined {
  if (value === null || value === '') return undefined
  if (value !== 'true' && value !== 'false') throw new Error('must have a forcePathStyle that is true or false')
  return value === 'true'
}

function readCredentials({ username, password }: URL): S3Address['credentials'] {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '') throw new Error('must have both keyId and secret before the @, or neither')
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
}
