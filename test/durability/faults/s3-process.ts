import { startLocalS3 } from '../../support/local-s3.ts'

// An S3 server in a process of its own, as a bucket is: node s3-process.ts <port> <folder>

const [port, folder] = process.argv.slice(2)
const { url } = await startLocalS3({ conditions: 'kept', port: Number(port), folder })
process.stdout.write(`${url}\n`)
