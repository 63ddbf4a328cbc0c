import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RunnerStatus } from './runners/runner-status.ts'

const COLOURS: Record<RunnerStatus, string> = {
  running: 'teal.9',
  paused: 'orange.9',
  silent: 'gray.7',
  stopped: 'indigo.8',
}

/** The status of a runner as a badge, by text and not by colour alone. */
export function StatusBadge({ status }: { status: RunnerStatus }) {
  const { t } = useTranslation()
  return (
    <Badge variant={status === 'silent' ? 'outline' : 'filled'} size="sm" color={COLOURS[status]} miw="max-content">
      {status === 'silent' ? t('live.silent') : t(`state.${status}`)}
    </Badge>
  )
}
