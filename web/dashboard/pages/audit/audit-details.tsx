import { Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../api/administration/audit.ts'
import { useFormat } from '../../i18n/format.ts'
import { AuditSentence } from './audit-sentence.tsx'
import { OutcomeBadge } from './audit-table.tsx'

type Change = { from?: unknown; to?: unknown }

type AuditDetailsProps = { record: AuditRecord; onSubject(id: string): void }

/** Everything that is known about a record. */
export function AuditDetails({ record, onSubject }: AuditDetailsProps) {
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
