import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core'
import { CircleAlert, CircleCheck, CircleEqual, FileUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { RowButton } from './lists.tsx'

/** Icons of files that have ended; `known` is for one that the server already had. */
const ICONS = { done: CircleCheck, known: CircleEqual, failed: CircleAlert } as const

type TransferRowProps = {
  phase: string
  name: ReactNode
  sizeBytes: number
  actions: ReactNode
  /** The state of the file, below its name. */
  children: ReactNode
}

/** A file on its way to the server, or that has arrived, as an entry of a list. */
export function TransferRow({ phase, name, sizeBytes, actions, children }: TransferRowProps) {
  const format = useFormat()
  const Icon = phase in ICONS ? ICONS[phase as keyof typeof ICONS] : FileUp
  return (
    <li>
      <Group justify="flex-end" align="flex-start" gap="xs">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 240px" miw={0}>
          <Icon size={20} aria-hidden color={colourOf(phase)} style={{ flexShrink: 0 }} />
          <Stack gap={4} flex={1} miw={0}>
            <Group gap="xs" wrap="nowrap" justify="space-between">
              {name}
              <Text size="xs" c="dimmed" className="figures" style={{ flexShrink: 0 }}>
                {format.bytes(sizeBytes)}
              </Text>
            </Group>
            {children}
          </Stack>
        </Group>
        {actions}
      </Group>
    </li>
  )
}

function colourOf(phase: string): string | undefined {
  if (phase === 'failed') return 'var(--mantine-color-error)'
  return phase === 'done' ? 'var(--mantine-color-teal-7)' : undefined
}

/** Says in words how far a file is. */
export function TransferState({ words }: { words: string }) {
  return (
    <Text size="xs" c="dimmed" className="figures">
      {words}
    </Text>
  )
}

/** Says in words why a file has failed. */
export function TransferFailure({ words }: { words: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {words}
    </Text>
  )
}

type TransferActionsProps = {
  fileName: string
  isUnderWay: boolean
  cancelThis: 'upload.cancelThis' | 'import.cancelThis'
  /** Tries again; undefined for a file that would fail again, or has not failed. */
  onRetry: (() => void) | undefined
  onRemove(): void
}

/** Cancels, retries or removes a file. */
export function TransferActions({ fileName, isUnderWay, cancelThis, onRetry, onRemove }: TransferActionsProps) {
  const { t } = useTranslation()
  const removeThis = isUnderWay ? cancelThis : 'upload.removeThis'
  return (
    <Group gap="xs" wrap="nowrap">
      {onRetry !== undefined && (
        <RowButton aria-label={t('upload.retryThis', { name: fileName })} onClick={onRetry}>
          {t('action.retry')}
        </RowButton>
      )}
      <Tooltip label={t(isUnderWay ? 'upload.cancel' : 'upload.remove')}>
        <ActionIcon
          size={30}
          variant="subtle"
          color="gray"
          aria-label={t(removeThis, { name: fileName })}
          onClick={onRemove}
        >
          <X size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
