<?php
namespace A;

/**
 * A store.
 */
class Store
{
    #[Pure]
    public function find(int $id)
    {
        return $id;
    }
}

function helper()
{
    return 1;
}
