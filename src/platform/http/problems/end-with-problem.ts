import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { AppError } from '../../errors.ts'
import { SERVICE_HEADER } from '../service-header.ts'
import { PROBLEM_TYPE, problemOf } from './problem.ts'

/** Answers a connection on which there is no request yet, and ends it. */
export function endWithProblem(socket: Socket, error: AppError): void {
  const problem = problemOf(error, randomUUID())
  const body = JSON.stringify(problem)
  const headers = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': problem.request_id,
    [SERVICE_HEADER.name]: SERVICE_HEADER.value,
    Connection: 'close',
    ...error.options.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${problem.status} ${problem.title}`, ...lines].join('\r\n')}\r\n\r\n${body}`)
}
