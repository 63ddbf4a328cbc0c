import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blobsAddress, parseS3Address } from './s3-address.ts'

describe('parseS3Address', () => {
  test('leaves the region and the credentials of AWS to the surroundings', () => {
    assert.deepEqual(parseS3Address('s3://my-bucket'), {
      bucket: 'my-bucket',
      prefix: '',
      endpoint: undefined,
      region: undefined,
      forcePathStyle: false,
      credentials: undefined,
    })
  })

  test('reads everything that can be said', () => {
    const text =
      's3://key:se%2Fcret@my.bucket/?endpoint=https%3A%2F%2Fs3.example.org%3A9000&region=eu-west-3&prefix=a/b/&forcePathStyle=false'

    assert.deepEqual(parseS3Address(text), {
      bucket: 'my.bucket',
      prefix: 'a/b/',
      endpoint: 'https://s3.example.org:9000/',
      region: 'eu-west-3',
      forcePathStyle: false,
      credentials: { accessKeyId: 'key', secretAccessKey: 'se/cret' },
    })
  })

  test('puts the bucket into the path at an endpoint of its own', () => {
    const address = parseS3Address('s3://bucket?endpoint=http://localhost:9000')

    assert.equal(address.forcePathStyle, true)
    assert.equal(address.endpoint, 'http://localhost:9000/')
    assert.equal(address.region, 'us-east-1')
  })

  const wrong = [
    'files',
    'https://bucket.example.org',
    's3://',
    's3://Bucket',
    's3://bucket/folder',
    's3://bucket:9000',
    's3://bucket?folder=a',
    's3://bucket?prefix=../a',
    's3://bucket?endpoint=localhost:9000',
    's3://bucket?forcePathStyle=yes',
    's3://key@bucket',
  ]
  for (const text of wrong) {
    test(`refuses ${text}, and says what it must be`, () => {
      assert.throws(() => parseS3Address(text), /^Error: must /)
    })
  }
})

describe('blobsAddress', () => {
  test('is empty for files, or the address of a bucket', () => {
    assert.equal(blobsAddress(''), '')
    assert.equal(blobsAddress('s3://bucket?region=eu-west-3'), 's3://bucket?region=eu-west-3')
    assert.throws(() => blobsAddress('./files'), /must begin with s3/)
  })
})
