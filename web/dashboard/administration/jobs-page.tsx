import { Alert, Badge, Box, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Play, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { PageTitle } from '../../ui/titles.tsx'
import { hasStatus } from '../api/api-error.ts'
import { Ago, useNow } from '../components/ago.tsx'
import { Loaded, notify, notifyFailure, useNotifyError } from '../components/feedback.tsx'
import { listJobsOptions, listJobsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { runJob } from '../generated/sdk.gen.ts'
import type { BackgroundJob, JobFailure, JobList, WorkQueue } from '../generated/types.gen.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { useAdministrationTexts } from './administration-texts.ts'

const REFRESH_MS = 10_000
const REFRESH_WHILE_RUNNING_MS = 1_000

/** Background jobs of the server with their last and next runs, and the work that waits. Runs a job at once. */
export function JobsPage() {
  const t = useAdministrationTexts()
  const jobs = useQuery({
    ...listJobsOptions(),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isRunning) ? REFRESH_WHILE_RUNNING_MS : REFRESH_MS),
  })
  const [isRefreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    await jobs.refetch()
    setRefreshing(false)
  }
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('nav.jobs')} />
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} aria-hidden />}
          loading={isRefreshing}
          onClick={() => void refresh()}
        >
          {t('jobs.refresh')}
        </Button>
      </Group>
      <Text c="dimmed" maw={720}>
        {t('jobs.explanation')}
      </Text>
      <Loaded query={jobs}>{(list) => <Background {...list} />}</Loaded>
    </>
  )
}

function Background({ instance, jobs, queues }: JobList) {
  const t = useAdministrationTexts()
  const format = useFormat()
  const words = useJobWords()
  const failing = jobs.filter(({ last_run: last }) => last?.result === 'failed')
  return (
    <Stack>
      {failing.length > 0 && (
        <Alert color="red" variant="light" icon={<CircleAlert aria-hidden />}>
          {t('jobs.failing', {
            count: failing.length,
            figure: format.count(failing.length),
            names: failing.map((job) => words.name(job)).join(', '),
          })}
        </Alert>
      )}
      <JobTable jobs={jobs} />
      {queues.length > 0 && (
        <>
          <Title order={2} mt="md">
            {t('jobs.queues')}
          </Title>
          <QueueTable queues={queues} />
        </>
      )}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('jobs.instance', { name: instance.name, time: format.dateTime(instance.started_at) })}
      </Text>
    </Stack>
  )
}

function JobTable({ jobs }: { jobs: readonly BackgroundJob[] }) {
  const t = useAdministrationTexts()
  const words = useJobWords()
  return (
    <StackedTable
      label={t('nav.jobs')}
      columns={[
        {
          head: t('jobs.job'),
          isBare: true,
          cell: (job) => (
            <Stack gap={2} maw="26rem">
              <Group gap="2px 8px">
                <Text fw={600}>{words.name(job)}</Text>
                <Code>{job.name}</Code>
              </Group>
              <Text size="sm" c="dimmed">
                {words.purpose(job)}
              </Text>
            </Stack>
          ),
        },
        { head: t('jobs.state'), cell: (job) => <JobStateView job={job} /> },
        { head: t('jobs.last'), cell: (job) => <LastRun job={job} /> },
        { head: t('jobs.next'), cell: (job) => <NextRun job={job} /> },
        { head: t('table.actions'), isBare: true, cell: (job) => <RunButton job={job} /> },
      ]}
      rows={jobs}
      rowId={({ name }) => name}
    />
  )
}

function JobStateView({ job }: { job: BackgroundJob }) {
  const t = useAdministrationTexts()
  const words = useJobWords()
  const { running_since: since, last_run: last } = job
  if (since !== null)
    return (
      <div>
        <Badge variant="filled">{t('jobs.running')}</Badge>
        <Text size="sm" c="dimmed">
          {t('jobs.begun')} <Ago time={since} />
        </Text>
      </div>
    )
  if (last === null)
    return (
      <Badge variant="default" c="dimmed">
        {t('jobs.neverRan')}
      </Badge>
    )
  if (last.failure === null)
    return (
      <Badge variant="filled" color="teal.9">
        {t('jobs.ok')}
      </Badge>
    )
  return (
    <Box maw="16rem">
      <Badge variant="filled" color="red.9">
        {t('jobs.failed')}
      </Badge>
      <Text size="sm">{words.reason(job, last.failure)}</Text>
    </Box>
  )
}

function LastRun({ job: { last_run: last } }: { job: BackgroundJob }) {
  const t = useAdministrationTexts()
  const format = useFormat()
  if (last === null) return '–'
  return (
    <div style={{ whiteSpace: 'nowrap' }}>
      <Ago time={last.started_at} />
      <Text size="sm" c="dimmed">
        {t('jobs.took', { duration: durationWords(last.duration_sec, format) })}
      </Text>
    </div>
  )
}

/** The interval, and the next run unless it is only seconds away. */
function NextRun({ job }: { job: BackgroundJob }) {
  const words = useJobWords()
  const format = useFormat()
  const nowMs = useNow()
  if (job.interval_sec <= 60) return <span style={{ whiteSpace: 'nowrap' }}>{words.interval(job)}</span>
  return (
    <div style={{ whiteSpace: 'nowrap' }}>
      <time dateTime={job.next_run_at} title={format.dateTime(job.next_run_at)}>
        {format.ago(Math.max(Date.parse(job.next_run_at), nowMs), nowMs)}
      </time>
      <Text size="sm" c="dimmed">
        {words.interval(job)}
      </Text>
    </div>
  )
}

/** Runs a job. While it runs, the button stays where the keyboard is, and does nothing. */
function RunButton({ job }: { job: BackgroundJob }) {
  const t = useAdministrationTexts()
  const words = useJobWords()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  const name = words.name(job)
  const running = useMutation({
    mutationFn: () => runJob({ path: { name: job.name } }),
    onSuccess: ({ job: { running_since: since, last_run: last } }) => {
      if (since !== null) notify(t('jobs.started', { job: name }))
      else if (last?.failure) notifyFailure(t('jobs.ranFailed', { job: name, reason: words.reason(job, last.failure) }))
      else notify(t('jobs.ran', { job: name }))
    },
    onError: (error) => (hasStatus(error, 409) ? notify(t('jobs.isRunning')) : notifyError(error)),
    onSettled: () => client.invalidateQueries({ queryKey: listJobsQueryKey() }),
  })
  const isBusy = running.isPending || isRunning(job)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Play size={14} aria-hidden />}
      aria-label={t('jobs.runThis', { job: name })}
      aria-disabled={isBusy}
      data-disabled={isBusy || undefined}
      onClick={() => !isBusy && running.mutate()}
    >
      {t('jobs.run')}
    </Button>
  )
}

function QueueTable({ queues }: { queues: readonly WorkQueue[] }) {
  const t = useAdministrationTexts()
  const words = useJobWords()
  const format = useFormat()
  return (
    <StackedTable
      label={t('jobs.queues')}
      columns={[
        {
          head: t('jobs.queue'),
          isBare: true,
          cell: (queue) => (
            <Stack gap={2} maw="26rem">
              <Text fw={600}>{words.queue(queue)}</Text>
              <Text size="sm" c="dimmed">
                {words.content(queue)}
              </Text>
            </Stack>
          ),
        },
        {
          head: t('jobs.waiting'),
          cell: ({ waiting }) => (
            <span className="figures">{waiting === null ? t('jobs.unknown') : format.count(waiting)}</span>
          ),
        },
        {
          head: t('jobs.where'),
          cell: ({ is_shared: isShared }) => t(isShared ? 'jobs.allInstances' : 'jobs.thisInstance'),
        },
      ]}
      rows={queues}
      rowId={({ name }) => name}
    />
  )
}

function isRunning({ running_since: since }: BackgroundJob): boolean {
  return since !== null
}

function durationWords(sec: number, format: Format): string {
  if (sec < 1) return `${format.number(Math.max(1, Math.round(sec * 1000)))} ms`
  return sec < 60 ? `${format.number(sec)} s` : format.span(sec)
}

/** Returns the words for jobs and queues; those of the server for one that is unknown here, as during an upgrade. */
function useJobWords() {
  const t = useAdministrationTexts()
  const format = useFormat()
  const known = (key: string, otherwise: string) => {
    const text = t(key as Parameters<typeof t>[0])
    return text === key ? otherwise : text
  }
  return {
    name: ({ name }: BackgroundJob) => known(`jobs.name.${name}`, name),
    purpose: ({ name, purpose }: BackgroundJob) => known(`jobs.name.${name}.purpose`, purpose),
    queue: ({ name }: WorkQueue) => known(`jobs.queue.${name}`, name),
    content: ({ name, content }: WorkQueue) => known(`jobs.queue.${name}.purpose`, content),
    reason: ({ name }: BackgroundJob, { code, message }: JobFailure) =>
      code === 'INTERNAL' ? t('jobs.unexpected', { job: name }) : t('jobs.reason', { message }),
    interval({ interval_sec: sec }: BackgroundJob) {
      if (sec < 1) return t('jobs.often')
      const [unit, lengthSec] =
        sec < 60 ? (['Second', 1] as const) : sec < 3600 ? (['Minute', 60] as const) : (['Hour', 3600] as const)
      const count = Math.round(sec / lengthSec)
      return t(`jobs.every${unit}`, { count, figure: format.count(count) })
    },
  }
}
