import { Code, Group, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'

type CopyFieldProps = { label: string; value: string; actions?: ReactNode }

/** A labelled value with a button that copies it. */
export function CopyField({ label, value, actions }: CopyFieldProps) {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Title order={2} size="h5" mb="xs">
        {label}
      </Title>
      <Group justify="space-between" gap="sm">
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <Group gap="xs">
          {actions}
          <CopyButton
            size="xs"
            value={value}
            label={t('action.copy')}
            name={t('action.copyThing', { thing: label })}
            copiedLabel={t('action.copied')}
          />
        </Group>
      </Group>
    </Paper>
  )
}
