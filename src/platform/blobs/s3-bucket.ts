import type { S3Client } from '@aws-sdk/client-s3'

/** A bucket and its client. */
export type S3Bucket = {
  client: S3Client
  /** Client for requests with large bodies: it watches that bytes flow, rather than the time until the response. */
  uploading: S3Client
  bucket: string
  /** Empty, or a folder that ends with `/` and contains the whole store. */
  prefix: string
}

/** Keys never begin with a dot, so nothing in this folder is a blob. */
export const DRAFTS = '.drafts/'
