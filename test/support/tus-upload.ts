import { Upload } from 'tus-js-client'

/** Time between attempts, of which there are enough for a server that is started again. */
const RETRY_DELAYS_MS = Array.from({ length: 200 }, () => 100)

/**
 * Uploads a file with tus-js-client, which goes on by itself.
 * @param onRequest called before each request that sends bytes, with its offset
 * @returns the offsets at which requests began
 */
export async function uploadByTus(
  uploadUrl: string,
  file: Buffer,
  onRequest: (offset: number) => void = () => {},
): Promise<number[]> {
  const offsets: number[] = []
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl,
      uploadLengthDeferred: true,
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      onBeforeRequest(request) {
        if (request.getMethod() !== 'PATCH') return
        const offset = Number(request.getHeader('Upload-Offset'))
        offsets.push(offset)
        onRequest(offset)
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
  return offsets
}
