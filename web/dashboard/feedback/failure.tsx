import { Alert, Button, Group } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from './error-message.ts'

/** Shows a failure in place, with a button to retry if one is given. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  const { key, values } = errorMessage(error)
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} role="alert" variant="light">
      <Group justify="space-between" gap="sm">
        <span>{t(key, values ?? {})}</span>
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
