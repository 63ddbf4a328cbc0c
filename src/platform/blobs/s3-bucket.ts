import type { S3Client } from '@aws-sdk/client-s3'

/** A bucket and the client that reaches it. */
export type S3Bucket = {
  client: S3Client
  bucket: string
  /** Empty, or a folder that ends with `/`: all of a store lies in it. */
  prefix: string
}

/** No key can begin with a dot, so nothing in here is a blob. */
export const DRAFTS = '.drafts/'
