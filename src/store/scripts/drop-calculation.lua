#!lua
-- Removes a calculation that stands in the slot of another member by now.
--- @include "holds"
--- @declared "owned-keys"

drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
redis.call('DEL', calculation_key, answer_key, unpack(others))
