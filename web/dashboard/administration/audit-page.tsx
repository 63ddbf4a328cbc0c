import { Alert, Button, Code, Group, Menu, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { auditExportAddress } from '../api/addresses.ts'
import { auditQuery } from '../api/queries.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { DownloadItem } from '../components/links.tsx'
import { FilterSelect, MoreButton, RowButton, usePages } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { listOperatorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { AuditRecord } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type AuditSearch, filterOf, OUTCOMES, SOURCES } from './audit-log.ts'
import { AuditSentence, AuditTable, OutcomeBadge } from './audit-table.tsx'

/** The audit log. The address holds the filters. */
export function AuditPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: routeIds.auditLog })
  const change = useChangeSearch<AuditSearch>(paths.auditLog)
  const [opened, setOpened] = useState<AuditRecord>()
  const showSubject = (subject: string | undefined) => {
    setOpened(undefined)
    change({ subject })
  }
  return (
    <Stack>
      <PageTitle title={t('audit.title')} />
      <Text c="dimmed">{t('audit.explanation')}</Text>
      <AuditFilters search={search} onChange={change} />
      {search.subject !== undefined && (
        <Alert color="gray">
          <Group justify="space-between">
            <Text size="sm">{t('audit.onlyOne')}</Text>
            <RowButton onClick={() => showSubject(undefined)}>{t('audit.showAll')}</RowButton>
          </Group>
        </Alert>
      )}
      <Records search={search} onOpen={setOpened} />
      <Dialog
        title={t('audit.detailsOf', { position: String(opened?.position ?? '') })}
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        size="lg"
      >
        {opened !== undefined && <AuditDetails record={opened} onSubject={showSubject} />}
      </Dialog>
    </Stack>
  )
}

function Records({ search, onOpen }: { search: AuditSearch; onOpen(record: AuditRecord): void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(auditQuery(filterOf(search)))
  const { rows } = usePages(query, ({ records }) => records)
  return (
    <Loaded query={query}>
      {() =>
        rows.length === 0 ? (
          <EmptyState icon={ScrollText} title={t('audit.noneTitle')}>
            {t('audit.none')}
          </EmptyState>
        ) : (
          <>
            <AuditTable records={rows} onOpen={onOpen} />
            <MoreButton query={query}>{t('audit.more')}</MoreButton>
          </>
        )
      }
    </Loaded>
  )
}

type AuditFiltersProps = { search: AuditSearch; onChange(part: AuditSearch): void }

/** The filters above the audit log, and the download of the matching records. */
function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation()
  const operators = useQuery({ ...listOperatorsOptions(), select: ({ operators }) => operators }).data ?? []
  const choices = operators.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Group align="flex-end" role="search">
      <NativeSelect
        label={t('audit.operator')}
        value={search.operator ?? ''}
        onChange={({ currentTarget }) => onChange({ operator: currentTarget.value || undefined })}
        data={[{ value: '', label: t('list.all') }, ...choices]}
      />
      <FilterSelect
        label={t('audit.outcome')}
        values={OUTCOMES}
        value={search.outcome}
        labelOf={(outcome) => t(`audit.outcome.${outcome}`)}
        onChange={(outcome) => onChange({ outcome })}
      />
      <FilterSelect
        label={t('audit.source')}
        values={SOURCES}
        all="audit.allSources"
        value={search.source}
        labelOf={(source) => t(`audit.source.${source}`)}
        onChange={(source) => onChange({ source })}
      />
      <TextInput
        type="date"
        label={t('audit.fromDay')}
        value={search.from ?? ''}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('audit.toDay')}
        value={search.to ?? ''}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button ml="auto" variant="default" leftSection={<Download size={16} aria-hidden />}>
            {t('audit.download')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('audit.download')}>
          <DownloadItem href={auditExportAddress(filterOf(search), 'csv')} isConfirmed>
            {t('audit.asCsv')}
          </DownloadItem>
          <DownloadItem href={auditExportAddress(filterOf(search), 'jsonl')} isConfirmed>
            {t('audit.asJsonl')}
          </DownloadItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

type Change = { from?: unknown; to?: unknown }

type AuditDetailsProps = { record: AuditRecord; onSubject(id: string): void }

/** Everything that is known about a record. */
function AuditDetails({ record, onSubject }: AuditDetailsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { subject, within, result, details } = record
  const { changes, ...facts } = details as { changes?: Record<string, Change> }
  const subjectId = subject?.id ?? result?.id ?? null
  const rows: [label: string, value: ReactNode][] = [
    [t('audit.time'), format.dateTime(record.time)],
    [t('audit.outcome'), <OutcomeBadge key="outcome" outcome={record.outcome} />],
    [t('audit.changes'), changes !== undefined && <Changes key="changes" changes={changes} />],
    [t('audit.status'), record.status],
    [t('audit.ended'), record.ended_at && format.dateTime(record.ended_at)],
    [t('audit.source'), t(`audit.source.${record.source}`)],
    [t('audit.subject'), subject && thing(subject)],
    [t('audit.within'), within && thing(within)],
    [t('audit.created'), result && thing({ kind: '', ...result })],
    [t('audit.address'), record.address],
    [t('audit.browser'), record.browser],
    [t('audit.session'), record.session_id],
    [t('audit.request'), record.request_id],
    [t('audit.facts'), Object.keys(facts).length > 0 && <Code key="facts">{JSON.stringify(facts)}</Code>],
    [t('audit.hash'), <Code key="hash">{record.hash}</Code>],
  ]
  return (
    <Stack>
      <AuditSentence record={record} />
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {rows
            .filter(([, value]) => value !== null && value !== false && value !== '')
            .map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={140}>{label}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text component="div" size="sm">
                    {value}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {subjectId !== null && (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onSubject(subjectId)}>
            {t('audit.onlyThis')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function thing({ kind, name, id }: { kind: string; name: string | null; id: string | null }): string {
  return [kind, name, id].filter((part) => part !== null && part !== '').join(' · ')
}

/** The values before and after, each on a line. */
function Changes({ changes }: { changes: Record<string, Change> }) {
  const { t } = useTranslation()
  const shown = (value: unknown) =>
    value === null || value === undefined
      ? t('audit.noValue')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
  return (
    <Stack gap={6}>
      {Object.entries(changes).map(([name, { from, to }]) => (
        <Group key={name} gap="0 8px">
          <Code>{name}</Code>
          <span>{`${from === undefined ? '' : `${shown(from)} → `}${shown(to)}`}</span>
        </Group>
      ))}
    </Stack>
  )
}
