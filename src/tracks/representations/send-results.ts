import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredMediaType } from '#platform/http/negotiation.ts'
import { contentDisposition } from '#platform/http/ranges/content-disposition.ts'
import type { Results, ResultsQuery } from '../schemas/race.ts'
import { resultsCsv } from './results-csv.ts'

/** Sends results in the format that the address names, else in the one that `Accept` prefers. */
export function sendResults(request: FastifyRequest, reply: FastifyReply, results: Results) {
  const { format } = request.query as ResultsQuery
  const preferred = preferredMediaType(request.headers.accept, ['application/json', 'text/csv'])
  reply.header('vary', 'Accept')
  if (format !== 'csv' && (format === 'json' || preferred !== 'text/csv')) {
    return reply.type('application/json; charset=utf-8').send(results)
  }
  reply.header('content-disposition', contentDisposition('attachment', `${results.event} results`, 'csv'))
  return reply.type('text/csv; charset=utf-8; header=present').send(resultsCsv(results))
}
