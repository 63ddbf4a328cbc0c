import { S3ServiceException } from '@aws-sdk/client-s3'

/** For `catch`: gives this instead of an object that is not there, and throws any other error on. */
export function ifNotFound<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    // The answer to HEAD has no body and so no name of its own.
    if (isAnswer(error, 404) && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)) return fallback
    throw error
  }
}

/** Whether a call was answered with this HTTP status. */
export function isAnswer(error: unknown, status: number): error is S3ServiceException {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
