import { boolean, httpAddress, oneOf, text } from '../basics/config.ts'

/** Settings of traces, under the names that OpenTelemetry has for every program. */
export const tracingConfig = {
  endpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    doc: 'URL of an OpenTelemetry collector, such as http://localhost:4318. Traces are sent to /v1/traces below it. If empty, there are no traces.',
    read: httpAddress,
  },
  tracesEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    fallback: '',
    doc: 'URL to which traces are sent as it is, in place of OTEL_EXPORTER_OTLP_ENDPOINT.',
    read: httpAddress,
  },
  headers: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: '',
    doc: 'Headers of the requests to the collector: name=value, separated by commas, values percent-encoded.',
    read: namedValues,
    secret: true,
  },
  protocol: {
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    fallback: 'http/protobuf',
    doc: 'Protocol of the collector. There is one; gRPC is not supported.',
    read: oneOf('http/protobuf'),
  },
  serviceName: {
    env: 'OTEL_SERVICE_NAME',
    fallback: 'trackpress',
    doc: 'Name of this service in traces.',
    read: text,
  },
  resourceAttributes: {
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    fallback: '',
    doc: 'Attributes of every trace, such as deployment.environment.name=production: name=value, separated by commas, values percent-encoded.',
    read: namedValues,
  },
  sampler: {
    env: 'OTEL_TRACES_SAMPLER',
    fallback: 'parentbased_always_on',
    doc: 'Choice of the requests that are traced. parentbased follows the decision of a trusted proxy where there is one.',
    read: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  },
  samplerRatio: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    doc: 'Share of requests, from 0 to 1, that a sampler with traceidratio traces.',
    read: share,
  },
  isDisabled: {
    env: 'OTEL_SDK_DISABLED',
    fallback: 'false',
    doc: 'true turns traces off whatever else is set.',
    read: boolean,
  },
}

function share(value: string): number {
  const number = Number(value)
  if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1')
  return number
}

/** Parses `name=value` pairs that are separated by commas, with percent-encoded values. */
function namedValues(value: string): Readonly<Record<string, string>> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      if (at < 1 || name === '') throw new Error('must be a list of name=value, separated by commas')
      return [name, decoded(pair.slice(at + 1).trim())]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Error('must have values that are percent-encoded')
  }
}
