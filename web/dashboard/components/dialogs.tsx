import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSameName } from '../../ui/same-name.ts'
import { type Action, Failure, useAction } from './feedback.tsx'

type DialogProps = {
  title: ReactNode
  opened: boolean
  onClose(): void
  size?: 'md' | 'lg' | 'xl'
  /** Set for a question, which stands in the middle of the window. */
  isCentered?: boolean
  children: ReactNode
}

/** A dialog whose close button has a name. */
export function Dialog({ title, opened, onClose, size = 'md', isCentered = false, children }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      centered={isCentered}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <FocusBack />
      {children}
    </Modal>
  )
}

/**
 * Gives the focus back to what opened a dialog, if nothing has it once the dialog is gone. A dialog that is rendered
 * only while it is open has no time to do so itself.
 */
function FocusBack() {
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
  return null
}

/** Returns the element itself; for an entry of a menu, which closes, the menu's button. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const opener = menu == null ? element : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return opener instanceof HTMLElement ? opener : null
}

type ConfirmDialogProps<Done> = Omit<Action<Done>, 'onSuccess' | 'notifiesFailure'> & {
  /** Default: always, for a dialog that is rendered only while it is open. */
  opened?: boolean
  onClose(): void
  title: string
  confirmLabel: string
  /** The name that has to be typed first; undefined asks for nothing. */
  typedName?: string
  typeLabel?: string
  /** For an action that deletes nothing: its button is not red. */
  isHarmless?: boolean
  /** The consequences. */
  children: ReactNode
}

/**
 * Asks for confirmation of an action that cannot be undone, carries it out, and shows its failure. A thing that holds
 * other people's work has to be confirmed by typing its name.
 */
export function ConfirmDialog<Done>(props: ConfirmDialogProps<Done>) {
  const { opened = true, onClose, title } = props
  const { mutate, isPending, error } = useAction({ ...props, onSuccess: onClose })
  return (
    <Dialog opened={opened} onClose={onClose} title={title} isCentered>
      <ConfirmForm {...props} onConfirm={mutate} isPending={isPending} error={error} />
    </Dialog>
  )
}

type ConfirmFormProps = Omit<ConfirmDialogProps<never>, keyof Action<never>> & {
  onConfirm(): void
  isPending: boolean
  error: unknown
}

function ConfirmForm({ typedName, typeLabel, onConfirm, isPending, error, ...props }: ConfirmFormProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const isConfirmed = typedName === undefined || isSameName(typed, typedName)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) onConfirm()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{props.children}</Text>
        {typedName !== undefined && (
          <TextInput
            label={typeLabel ?? t('action.typeName')}
            description={typedName}
            descriptionProps={{ style: { overflowWrap: 'anywhere' } }}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error !== null && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            type="submit"
            color={props.isHarmless ? undefined : 'red'}
            loading={isPending}
            disabled={!isConfirmed}
          >
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
