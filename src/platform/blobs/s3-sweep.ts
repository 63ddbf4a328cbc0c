import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { ifNotFound, isAnswer } from './s3-answer.ts'
import { DRAFTS, type S3Bucket } from './s3-bucket.ts'

/** Deletes drafts and aborts multipart uploads that are older than a time. @returns their number */
export async function sweepS3Drafts(bucket: S3Bucket, limitMs: number): Promise<number> {
  return (await sweepObjects(bucket, limitMs)) + (await sweepUploads(bucket, limitMs))
}

async function sweepObjects({ client, bucket, prefix }: S3Bucket, limitMs: number): Promise<number> {
  let swept = 0
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix + DRAFTS },
  )) {
    for (const { Key, LastModified } of Contents) {
      if ((LastModified?.getTime() ?? 0) > limitMs) continue
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
      swept++
    }
  }
  return swept
}

async function sweepUploads({ client, bucket, prefix }: S3Bucket, limitMs: number): Promise<number> {
  let swept = 0
  for await (const { Key, UploadId, Initiated } of uploadsIn(client, bucket, prefix + DRAFTS)) {
    if ((Initiated?.getTime() ?? 0) > limitMs) continue
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(ifNotFound(undefined))
    swept++
  }
  return swept
}

async function* uploadsIn(client: S3Client, bucket: string, folder: string): AsyncGenerator<MultipartUpload> {
  let marker = {}
  for (;;) {
    const page: ListMultipartUploadsCommandOutput | undefined = await client
      .send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: folder, ...marker }))
      .catch(ifNotImplemented)
    yield* page?.Uploads ?? []
    if (page?.IsTruncated !== true) return
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

/** Some servers cannot list multipart uploads. They remove leftovers by a rule of their own. */
function ifNotImplemented(error: unknown): undefined {
  if (!isAnswer(error, 501)) throw error
}
