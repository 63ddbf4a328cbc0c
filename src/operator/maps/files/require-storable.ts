import { MAX_S3_BLOB_BYTES } from '#platform/blobs/s3-address.ts'
import { ConfigError } from '#platform/config.ts'

/** Requires that map files of the largest size can be stored. @throws ConfigError */
export function requireStorable(maxMapFileBytes: number, blobsUrl: string): void {
  if (blobsUrl === '' || maxMapFileBytes <= MAX_S3_BLOB_BYTES) return
  throw new ConfigError([
    `MAX_MAP_FILE_BYTES must be at most ${MAX_S3_BLOB_BYTES} with BLOBS_URL (it is ${maxMapFileBytes}): a bucket cannot copy a larger file. Put larger ones into DATA_DIR/maps.`,
  ])
}
