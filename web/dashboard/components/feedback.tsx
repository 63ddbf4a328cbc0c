import { Alert, Button, Center, Group, Loader } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryFilters, type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
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

/** Renders the data of a query; a loader until it arrives, and the failure if it does not. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, unknown>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}

/** A loader for a page or a part of it. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <Center py={64} role="status" aria-label={t('state.loading')}>
      <Loader type="dots" />
    </Center>
  )
}

/** Shows an error of a whole form, not of a single field. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} role="alert" variant="light">
      {children}
    </Alert>
  )
}

/** The latest notification without a button. */
let latest: string | undefined

/** Shows a notification that something was done, for a while longer with a button that undoes it. */
export function notify(message: string, undo?: { label: string; run(): void }): void {
  const common = { color: 'teal', role: 'status', closeButtonProps: closeButton() }
  if (undo === undefined) {
    // The latest says how things are; several would cover what is below them.
    if (latest !== undefined) notifications.hide(latest)
    latest = notifications.show({ message, ...common })
    return
  }
  const id = notifications.show({
    ...common,
    autoClose: 15_000,
    message: (
      <Group justify="space-between" gap="sm">
        <span>{message}</span>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo.run()
          }}
        >
          {undo.label}
        </Button>
      </Group>
    ),
  })
}

/** Shows a notification that something failed. */
export function notifyFailure(message: string): void {
  notifications.show({ message, color: 'red', role: 'alert', autoClose: 8000, closeButtonProps: closeButton() })
}

/** Returns a function that shows a failure as a notification, for actions without a form to show it in. */
export function useNotifyError(): (error: unknown) => void {
  const { t } = useTranslation()
  return (error) => {
    const { key, values } = errorMessage(error)
    notifyFailure(t(key, values ?? {}))
  }
}

export type Action<Done, Given = void> = {
  action(given: Given): Promise<Done>
  /** Called at once when it is done. */
  onSuccess?(done: Done): unknown
  /** Says that it is done. */
  doneMessage?: string
  /** The loaded answers that the action changes, which are asked for again. */
  changes?: readonly QueryFilters[]
  /** Called when they are there. */
  onDone?(done: Done): unknown
  /** Set where nothing else shows a failure. */
  notifiesFailure?: boolean
}

/** Carries out an action, notifies of its success, and asks again for the answers that it changes. */
export function useAction<Done, Given = void>(options: Action<Done, Given>) {
  const { action, onSuccess, doneMessage, changes = [], onDone, notifiesFailure = false } = options
  const client = useQueryClient()
  const notifyError = useNotifyError()
  return useMutation({
    mutationFn: action,
    onSuccess: async (done) => {
      onSuccess?.(done)
      if (doneMessage !== undefined) notify(doneMessage)
      await Promise.all(changes.map((answers) => client.invalidateQueries(answers)))
      await onDone?.(done)
    },
    onError: notifiesFailure ? notifyError : undefined,
  })
}

function closeButton() {
  return { 'aria-label': i18next.t('action.close') }
}
