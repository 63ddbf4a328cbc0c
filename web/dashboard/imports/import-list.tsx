import { Button, Group, Paper, Progress, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { mayRetry } from './import-error-message.ts'
import { type FileImport, importQueue, isUnderWay } from './import-queue.ts'
import { ImportRow } from './import-row.tsx'
import { useImports } from './use-imports.ts'

/** The files imported into an event from this window: their progress together, and each of them. */
export function ImportList({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const titleId = useId()
  const imports = useImports().filter((one) => one.eventId === eventId)
  const underWay = imports.filter(isUnderWay)
  if (imports.length === 0) return <VisuallyHidden role="status" />
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-labelledby={titleId}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} id={titleId}>
            {t('import.title')}
          </Title>
          <Summary imports={imports} />
        </div>
        <ListActions imports={imports} />
      </Group>
      {underWay.length > 0 && (
        <Progress.Root size="sm" mb="sm">
          <Progress.Section value={percentOf(imports)} aria-label={t('import.together')} />
        </Progress.Root>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} mah={320} style={{ listStyle: 'none', overflowY: 'auto' }}>
        {imports.map((one) => (
          <ImportRow key={one.id} fileImport={one} />
        ))}
      </Stack>
    </Paper>
  )
}

/** Counts the files by their outcome. Screen readers hear it whenever it changes, and not every step of each file. */
function Summary({ imports }: { imports: readonly FileImport[] }) {
  const { t } = useTranslation()
  const count = (phase: FileImport['phase']) => imports.filter((one) => one.phase === phase).length
  const [done, known, failed] = [count('done'), count('known'), count('failed')]
  const parts = [
    t('import.doneOf', { done, all: imports.length }),
    known > 0 ? t('import.knownCount', { count: known }) : '',
    failed > 0 ? t('import.failedCount', { count: failed }) : '',
  ]
  return (
    <Text size="sm" c="dimmed" className="figures" role="status">
      {parts.filter((part) => part !== '').join(' · ')}
    </Text>
  )
}

function ListActions({ imports }: { imports: readonly FileImport[] }) {
  const { t } = useTranslation()
  const underWay = imports.filter(isUnderWay)
  const over = imports.filter((one) => !isUnderWay(one))
  const again = imports.filter(({ phase, error }) => phase === 'failed' && mayRetry(error))
  const removeAll = (some: readonly FileImport[]) => {
    for (const { id } of some) importQueue.remove(id)
  }
  return (
    <Group gap="xs">
      {again.length > 0 && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            for (const { id } of again) importQueue.retry(id)
          }}
        >
          {t('import.retryAll')}
        </Button>
      )}
      {underWay.length > 0 && (
        <Button size="xs" variant="default" onClick={() => removeAll(underWay)}>
          {t('import.cancelAll')}
        </Button>
      )}
      {over.length > 0 && (
        <Button size="xs" variant="default" onClick={() => removeAll(over)}>
          {t('upload.clear')}
        </Button>
      )}
    </Group>
  )
}

/** Returns the progress of several files in bytes. A file that is over counts as a whole. */
function percentOf(imports: readonly FileImport[]): number {
  const bytes = imports.reduce((sum, { file }) => sum + file.size, 0)
  const behind = imports.reduce((sum, one) => sum + (isUnderWay(one) ? one.sentBytes : one.file.size), 0)
  return bytes === 0 ? 100 : Math.floor((100 * Math.min(behind, bytes)) / bytes)
}
