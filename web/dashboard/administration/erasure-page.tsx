import { Alert, Button, Group, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { erasureQuery } from '../api/queries.ts'
import { ResourceForm } from '../components/forms.tsx'
import { ButtonLink } from '../components/links.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { listOperatorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCheckErasureReceipt } from '../generated/sdk.gen.ts'
import type { ErasureReceipt } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { ErasedData, FactsTable, isScheduled, LOADING, useErasurePlace } from './erased-data.tsx'

/** The receipt of an erasure, to keep and to print. */
export function ErasurePage() {
  const { erasureId } = useParams({ from: routeIds.erasure })
  const receipt = useQuery(erasureQuery(erasureId))
  return <LoadedPage query={receipt}>{(found) => <Receipt receipt={found} />}</LoadedPage>
}

function Receipt({ receipt }: { receipt: ErasureReceipt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, person, finished_at, erased, remains } = receipt
  const rows = erased.tables.map((each) => `${each.table}\u00a0${format.count(each.rows)}`).join(', ')
  return (
    <Stack maw={760}>
      <Group justify="space-between">
        <PageTitle title={t('erasures.receipt')} />
        <Group className="unprinted">
          <ButtonLink to={paths.erasures} variant="default" leftSection={<ArrowLeft size={16} aria-hidden />}>
            {t('erasures.receipts')}
          </ButtonLink>
          <Button leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
            {t('race.print')}
          </Button>
        </Group>
      </Group>
      {finished_at === null && (
        <Text role="status">
          {isScheduled(receipt)
            ? t('erasures.scheduledHelp', { time: format.dateTime(receipt.started_at) })
            : t('erasures.runningHelp')}
        </Text>
      )}
      <Paper withBorder p="lg" bg="var(--panel-background)">
        <Facts receipt={receipt} />
        <Title order={2} mt="lg" mb="xs">
          {t('erasures.data')}
        </Title>
        <ErasedData data={erased} />
        {rows !== '' && (
          <Text size="sm" c="dimmed" mt="xs" style={{ overflowWrap: 'anywhere' }}>
            {t('erasures.inDatabase', { rows })}
          </Text>
        )}
        <Title order={2} mt="lg" mb="xs">
          {t('erasures.remains')}
        </Title>
        <List size="sm" spacing={6}>
          {remains.map(({ place }) => (
            <List.Item key={place}>{t(`erasures.remains.${place}`)}</List.Item>
          ))}
        </List>
      </Paper>
      {person !== null && <ErasureVerify receiptId={id} />}
    </Stack>
  )
}

function Facts({ receipt }: { receipt: ErasureReceipt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const placeOf = useErasurePlace()
  const operators = useQuery({ ...listOperatorsOptions(), select: ({ operators }) => operators })
  const { id, kind, event_id, person, requested_by, started_at, finished_at } = receipt
  const requester = () => {
    if (requested_by === null) return t('erasures.byCommand')
    if (requested_by === 'participant') return t('erasures.byParticipant')
    if (operators.isPending) return LOADING
    return operators.data?.find((each) => each.id === requested_by)?.name ?? requested_by
  }
  const facts: [string, ReactNode][] = [
    [t('erasures.number'), id],
    [t('erasures.kind'), t(`erasures.of.${kind}`)],
    [t('erasures.where'), placeOf(event_id)],
    [t('erasures.started'), format.dateTime(started_at)],
    [
      t('erasures.finished'),
      finished_at === null
        ? t(isScheduled(receipt) ? 'erasures.scheduled' : 'erasures.running')
        : format.dateTime(finished_at),
    ],
  ]
  if (kind === 'person') facts.push([t('erasures.by'), requester()])
  if (person !== null)
    facts.push([
      t('erasures.mac'),
      <Text key="mac" size="xs" ff="monospace" span>
        {person}
      </Text>,
    ])
  return <FactsTable label={t('erasures.receipt')} facts={facts} />
}

/** Checks whether a receipt belongs to a person. */
function ErasureVerify({ receiptId }: { receiptId: string }) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { userId: '' },
    validate: { userId: (value) => (value === '' ? t('erasures.userMissing') : null) },
  })
  const [matches, setMatches] = useState<boolean | null>()
  const answer = matches === null ? 'unknown' : matches ? 'yes' : 'no'
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)" className="unprinted">
      <Title order={2} mb="xs">
        {t('erasures.verify')}
      </Title>
      <ResourceForm
        form={form}
        save={({ userId }) => operatorCheckErasureReceipt({ path: { id: receiptId }, body: { user_id: userId } })}
        onSaved={(answer) => setMatches(answer.matches)}
        onFailed={() => setMatches(undefined)}
        submitLabel={t('erasures.check')}
      >
        <TextInput
          label={t('erasures.user')}
          description={t('erasures.verifyHelp')}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          key={form.key('userId')}
          {...form.getInputProps('userId')}
        />
        {matches !== undefined && (
          <Alert color={matches === true ? 'teal' : 'gray'} role="status">
            {t(`erasures.matches.${answer}`)}
          </Alert>
        )}
      </ResourceForm>
    </Paper>
  )
}
