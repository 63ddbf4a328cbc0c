import { ActionIcon, Popover, Text } from '@mantine/core'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Provenance } from '../../api/tracks.ts'
import { ruleKey } from './rule-key.ts'

type FigureOriginProps = { label: string; provenance: Provenance | undefined }

/** Tells, on request, how a figure is calculated. */
export function FigureOrigin({ label, provenance }: FigureOriginProps) {
  const { t } = useTranslation()
  if (provenance === undefined) return null
  const key = ruleKey(provenance.rule)
  return (
    <Popover width={300} withArrow trapFocus={false} position="bottom-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('stats.how', { figure: label })}>
          <Info size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('stats.how', { figure: label })}>
        <Text size="sm" lang={key === undefined ? 'en' : undefined}>
          {key === undefined ? provenance.explanation : t(key)}
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {t(provenance.source === 'device' ? 'stats.fromDevice' : 'stats.fromServer')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
