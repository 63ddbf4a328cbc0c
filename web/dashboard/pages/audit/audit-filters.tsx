import { Button, Group, Menu, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { auditExportAddress } from '../../api/administration/audit.ts'
import { operatorsQuery } from '../../api/operators.ts'
import { DownloadItem } from '../../components/download-item.tsx'
import { FilterSelect } from '../../forms/list-filters.tsx'
import { type AuditSearch, filterOf, OUTCOMES, SOURCES } from './audit-search.ts'

type AuditFiltersProps = { search: AuditSearch; onChange(part: AuditSearch): void }

/** The filters above the audit log, and the download of what they leave. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation()
  const operators = useQuery(operatorsQuery).data ?? []
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
