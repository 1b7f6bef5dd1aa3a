"""Writes a message to another user in a room of both, and prints the answer: HOMESERVER USER TOKEN OTHER TEXT."""

import asyncio
import sys

from nio import AsyncClient, RoomMessageText

PATIENCE_SECONDS = 120


def has_joined(room, user):
    return room is not None and user in room.users and user not in room.invited_users


async def main(homeserver, user, token, other, text):
    client = AsyncClient(homeserver, user)
    client.restore_login(user, "TEST", token)
    await client.sync(timeout=0, full_state=True)
    room = next((one.room_id for one in client.rooms.values() if other in one.users), None)
    if room is None:
        room = (await client.room_create(invite=[other], is_direct=True)).room_id
    # A user who joins later does not receive the message.
    while not has_joined(client.rooms.get(room), other):
        await client.sync(timeout=1000)
    answer = asyncio.get_running_loop().create_future()

    async def receive(at, event):
        if at.room_id == room and event.sender == other and not answer.done():
            answer.set_result(event.body)

    client.add_event_callback(receive, RoomMessageText)
    await client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text})
    while not answer.done():
        await client.sync(timeout=1000)
    print(answer.result())
    await client.close()


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), PATIENCE_SECONDS))
