using System;

namespace A.B
{
    /// <summary>A store.</summary>
    public class Store<T>
    {
        public string Name
        {
            get; set;
        }

        [Obsolete]
        public Store(int x)
        {
            Name = "";
        }

        public T Find(string id) => default;
    }
}
