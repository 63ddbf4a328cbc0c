import { hostname } from 'node:os'
import Type, { type Static } from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { nullable, orNull } from '#platform/http/field-rules.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { JobState, Jobs, QueueState } from '#platform/jobs/jobs.ts'
import { jobIsRunning, jobNotFound } from '../model/errors.ts'

const MOMENT = '2026-05-03T09:00:00.000Z'
const JOB = {
  name: 'app-token-use',
  service: 'tracks',
  purpose: 'Records when app tokens were last used.',
  interval_sec: 60,
  running_since: null,
  last_run: { started_at: MOMENT, duration_sec: 0.012, result: 'ok', failure: null },
  next_run_at: '2026-05-03T09:01:00.000Z',
}

const time = (description: string) => Type.String({ format: 'date-time', description, examples: [MOMENT] })
const service = Type.String({ description: 'Part of the program that it belongs to.', examples: ['tracks'] })

const Instance = Type.Object(
  {
    name: Type.String({ description: 'Host name of its machine or container.', examples: ['web-1'] }),
    started_at: time('Runs are known since then.'),
  },
  { title: 'Instance', description: 'The process that answers. Each instance runs jobs of its own.' },
)

const LastRun = Type.Object(
  {
    started_at: time('Its start.'),
    duration_sec: Type.Number({ examples: [0.012] }),
    result: Type.Enum(['ok', 'failed'] as const),
    failure: orNull(
      Type.Object(
        {
          code: Type.String({
            description: 'A code of [errors](/docs/errors), or of the operating system, such as `ENOSPC`.',
            examples: ['UNAVAILABLE'],
          }),
          message: Type.String({ examples: ["The database's disk is full."] }),
        },
        { title: 'JobFailure', description: 'Reason of a failure. The log has the details, with the name of the job.' },
      ),
    ),
  },
  { title: 'JobRun', description: 'A finished run of a background job.' },
)

const Job = Type.Object(
  {
    name: Type.String(),
    service,
    purpose: Type.String(),
    interval_sec: Type.Number({ description: 'Time from one run to the next.' }),
    running_since: orNull(time('Start of the run in progress; null while there is none.')),
    last_run: orNull(LastRun),
    next_run_at: time('Its next turn, which is left out while a run lasts, or while there is nothing to do.'),
  },
  { title: 'BackgroundJob', description: 'Work that this instance does again and again.', examples: [JOB] },
)

const Queue = Type.Object(
  {
    name: Type.String({ examples: ['renderings'] }),
    service,
    content: Type.String({ examples: ['Documents that still have pages or images to render.'] }),
    is_shared: Type.Boolean({ description: 'True if all instances share the queue.', examples: [true] }),
    waiting: nullable<number>('integer', { description: 'Null while the database cannot say.', examples: [3] }),
  },
  { title: 'WorkQueue', description: 'Work that is done as it comes, and may have to wait.' },
)

export const JobList = Type.Object(
  { instance: Instance, jobs: Type.Array(Job), queues: Type.Array(Queue) },
  { title: 'JobList', description: 'Background work of an instance.' },
)
export type JobList = Static<typeof JobList>

const StartedJob = Type.Object(
  { instance: Instance, job: Job },
  { title: 'StartedJob', description: 'A background job after it was told to run, with the instance that runs it.' },
)

/** Time for which the answer waits for the end of a run, so that it tells the result of all but the long ones. */
const ANSWER_WITHIN_MS = 1_000

/** GET /operator/jobs and POST /operator/jobs/:name/run */
export function jobRoutes(app: HttpServer, { jobs }: { jobs: Jobs }) {
  const instance = () => ({ name: hostname(), started_at: formatDateTime(jobs.sinceMs) })

  app.get(
    '/operator/jobs',
    {
      schema: {
        operationId: 'listJobs',
        summary: 'List the background jobs',
        description: 'All background jobs of the instance that answers, and the lengths of its work queues.',
        tags: ['Operators'],
        response: { 200: JobList },
      },
    },
    async () => ({
      instance: instance(),
      jobs: jobs.list().map(jobJson),
      queues: (await jobs.queues()).map(queueJson),
    }),
  )

  app.post(
    '/operator/jobs/:name/run',
    {
      schema: {
        operationId: 'runJob',
        summary: 'Run a background job',
        description:
          'Runs a job now, on the instance that answers. Answers at the end of the run, or after a second if it takes longer.',
        tags: ['Operators'],
        params: Type.Object({
          name: Type.String({ description: 'The `name` in the list.', examples: [JOB.name] }),
        }),
        problems: [jobNotFound, jobIsRunning],
        response: { 200: StartedJob },
      },
    },
    async ({ params: { name } }) => {
      const job = jobs.find(name)
      if (job === undefined) throw jobNotFound()
      if (job.runningSinceMs !== null) throw jobIsRunning()
      await jobs.run(name, ANSWER_WITHIN_MS)
      return { instance: instance(), job: jobJson(job) }
    },
  )
}

function jobJson({ name, service, doc, everyMs, runningSinceMs, last, nextMs }: JobState): Static<typeof Job> {
  return {
    name,
    service,
    purpose: doc,
    interval_sec: everyMs / 1000,
    running_since: runningSinceMs === null ? null : formatDateTime(runningSinceMs),
    last_run: last && {
      started_at: formatDateTime(last.startedMs),
      duration_sec: last.durationMs / 1000,
      result: last.failure === null ? 'ok' : 'failed',
      failure: last.failure,
    },
    next_run_at: formatDateTime(nextMs),
  }
}

function queueJson({ name, service, doc, isShared, waiting }: QueueState): Static<typeof Queue> {
  return { name, service, content: doc, is_shared: isShared, waiting }
}
