import { Button, Code, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { type ErasureReceipt, erasureQuery } from '../../api/administration/erasures.ts'
import { eventsQuery } from '../../api/events.ts'
import { operatorsQuery } from '../../api/operators.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { ErasedData } from './erased-data.tsx'
import { ErasureVerify } from './erasure-verify.tsx'

/** The receipt of an erasure, to keep and to print. */
export function ErasurePage() {
  const { t } = useTranslation()
  const { erasureId } = useParams({ from: routeIds.erasure })
  const receipt = useQuery(erasureQuery(erasureId))
  return (
    <Loaded query={receipt}>
      {(found) => (
        <Stack maw={720}>
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
          {found.finished_at === null && <Text role="status">{t('erasures.runningHelp')}</Text>}
          <Facts receipt={found} />
          <Title order={2}>{t('erasures.data')}</Title>
          <ErasedData data={found.erased} />
          <Title order={2}>{t('erasures.remains')}</Title>
          <List>
            {found.remains.map(({ place }) => (
              <List.Item key={place}>{t(`erasures.remains.${place}`)}</List.Item>
            ))}
          </List>
          {found.person !== null && <ErasureVerify receiptId={found.id} />}
        </Stack>
      )}
    </Loaded>
  )
}

function Facts({ receipt }: { receipt: ErasureReceipt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const events = useQuery(eventsQuery)
  const operators = useQuery(operatorsQuery)
  const { id, kind, event_id, person, requested_by, started_at, finished_at } = receipt
  const event = events.data?.find((each) => each.id === event_id)?.name ?? event_id
  const operator = operators.data?.find((each) => each.id === requested_by)?.name ?? requested_by
  const facts: [string, string][] = [
    [t('erasures.number'), id],
    [t('erasures.kind'), t(`erasures.of.${kind}`)],
    [t('erasures.where'), event ?? t('erasures.everywhere')],
    [t('erasures.started'), format.dateTime(started_at)],
    [t('erasures.finished'), finished_at === null ? t('erasures.running') : format.dateTime(finished_at)],
  ]
  if (kind === 'person') facts.push([t('erasures.by'), operator ?? t('erasures.byCommand')])
  return (
    <Table aria-label={t('erasures.receipt')} variant="vertical">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
        {person !== null && (
          <Table.Tr>
            <Table.Th scope="row" fw={400}>
              {t('erasures.mac')}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Code>{person}</Code>
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  )
}
