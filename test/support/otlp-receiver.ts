import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner } from './databases.ts'

/** A span as a collector receives it. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, string>
  resource: Record<string, string>
  linkedSpanIds: string[]
  /** 0 unset, 2 failed. */
  status: number
}

export type OtlpReceiver = {
  url: string
  spans: ReceivedSpan[]
  /** The bodies of all requests, to be searched for what must not be in them. */
  bodies: Buffer[]
  headers: Record<string, unknown>[]
  /** Waits until a span fulfils a condition. */
  until(condition: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
}

/** Starts a collector of traces (OTLP over HTTP). One that hangs takes requests and never answers. */
export async function startOtlpReceiver(owner: Owner, { hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    headers.push({ ...request.headers, url: request.url })
    bodies.push(body)
    spans.push(...spansOf(body))
    if (!hangs) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async until(condition) {
      for (;;) {
        const found = spans.find(condition)
        if (found !== undefined) return found
        await wait(20)
      }
    },
  }
}

/** The fields of a message in the wire format of Protocol Buffers, by their number. */
type Fields = Map<number, (bigint | Buffer)[]>

// The numbers of fields are those of opentelemetry/proto/trace/v1/trace.proto.

function spansOf(body: Buffer): ReceivedSpan[] {
  return inside(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(inside(resourceSpans, 1)[0] ?? new Map(), 1)
    return inside(resourceSpans, 2).flatMap((scope) => inside(scope, 2).map((span) => toSpan(span, resource)))
  })
}

function toSpan(span: Fields, resource: Record<string, string>): ReceivedSpan {
  const hex = (fields: Fields, number: number) =>
    ((fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer).toString('hex')
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentSpanId: hex(span, 4),
    name: String(span.get(5)?.[0]),
    kind: Number(span.get(6)?.[0] ?? 0),
    attributes: attributesOf(span, 9),
    resource,
    linkedSpanIds: inside(span, 13).map((link) => hex(link, 2)),
    status: Number(inside(span, 15)[0]?.get(3)?.[0] ?? 0),
  }
}

function attributesOf(fields: Fields, number: number): Record<string, string> {
  return Object.fromEntries(
    inside(fields, number).map((pair) => {
      const [value] = [...(inside(pair, 2)[0] ?? new Map()).values()].flat()
      return [String(pair.get(1)?.[0]), String(value)]
    }),
  )
}

function inside(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Buffer))
}

function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const values = fields.get(tag >> 3) ?? []
    fields.set(tag >> 3, values)
    if ((tag & 7) === 0) values.push(varint())
    else if ((tag & 7) === 1) values.push(take(8).readBigUInt64LE())
    else if ((tag & 7) === 2) values.push(take(Number(varint())))
    else values.push(BigInt(take(4).readUInt32LE()))
  }
  return fields
}
