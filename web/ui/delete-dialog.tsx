import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isSameName } from './same-name.ts'

type DeleteDialogProps = {
  opened: boolean
  onClose(): void
  onConfirm(): void
  busy: boolean
  title: string
  /** The consequences. */
  children: ReactNode
  /** The name that has to be typed first; undefined asks for nothing. */
  typedName?: string
  /** For an action that deletes nothing: its button is not red. */
  isHarmless?: boolean
  failure?: ReactNode
  labels: { confirm: string; cancel: string; close: string; type: string }
}

/** Asks before something is deleted for good. What holds other people's work has to be confirmed by typing its name. */
export function DeleteDialog(props: DeleteDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': props.labels.close }}
      centered
    >
      <DeleteForm {...props} />
    </Modal>
  )
}

function DeleteForm({ onClose, onConfirm, busy, children, typedName, isHarmless, failure, labels }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const confirmed = typedName === undefined || isSameName(typed, typedName)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (confirmed) onConfirm()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{children}</Text>
        {typedName !== undefined && (
          <TextInput
            label={labels.type}
            description={typedName}
            descriptionProps={{ style: { overflowWrap: 'anywhere' } }}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {failure}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {labels.cancel}
          </Button>
          <Button type="submit" color={isHarmless ? undefined : 'red'} loading={busy} disabled={!confirmed}>
            {labels.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
